#include "demo/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "demo/page_files.h"
#include "demo/report_page_clips.h"
#include "demo/report_page_text.h"

namespace shosa::demo {
namespace {

/// What the figures of a seed are about, by the number their ids begin with.
std::string_view subject_of(std::string_view id) {
  static constexpr std::pair<std::string_view, std::string_view> kSubjects[] = {
      {"000", "Segments edited by their ends"},
      {"001", "Clips joined by their contacts"},
      {"002", "Pin-and-drag"},
      {"003", "Motion as submovements"},
      {"004", "Motion graphs with hurry values"},
      {"pie", "All five together"},
  };
  for (const auto& [begin, subject] : kSubjects) {
    if (id.starts_with(begin)) return subject;
  }
  return "More";
}

std::string mark(bool ok) {
  return ok ? "<span class=\"mark\" title=\"holds\">✓</span>"
            : "<span class=\"mark bad\" title=\"does not hold\">✗</span>";
}

/// A value in a unit that reads well beside its bound: millimetres and centimetres where metres would be all zeros.
std::string quantity(double value, const Check& check) {
  if (!std::isfinite(value)) return std::isnan(value) ? "not a number" : "infinite";
  const bool small = std::abs(check.bound) < 0.1;
  double shown = value;
  std::string_view unit = check.unit;
  if (small && unit == "m") shown = value * 1e3, unit = "mm";
  if (small && unit == "m/s") shown = value * 1e2, unit = "cm/s";
  std::string number = std::abs(shown) >= 1000.0 ? fmt::format("{:.0f}", shown) : fmt::format("{:.3g}", shown);
  // A rounding error in a long coat of digits says no more than this.
  if (shown != 0.0 && std::abs(shown) < 0.001) number = shown > 0.0 ? "&lt; 0.001" : "&gt; -0.001";
  return unit.empty() ? number : fmt::format("{} {}", number, html_escaped(unit));
}

std::string checks_table(const std::vector<Check>& checks) {
  if (checks.empty()) return "<p>No check was made.</p>\n";
  std::string html =
      "<table class=\"checks\"><thead><tr><th>Measured on the clips</th><th class=\"n\">Value</th><th "
      "class=\"n\">Bound</th>"
      "<th></th></tr></thead><tbody>\n";
  for (const Check& check : checks) {
    html += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{} {}</td><td>{}</td></tr>\n",
                        html_escaped(check.name), quantity(check.value, check),
                        check.kind == Check::Kind::at_most ? "≤" : "≥", quantity(check.bound, check), mark(check.ok()));
  }
  return html + "</tbody></table>\n";
}

std::string slot(const Figure& figure) {
  return fmt::format("<div class=\"slot\" data-figure=\"{}\"></div>\n", figure.id);
}

std::string pictures_html(const std::vector<Picture>& pictures) {
  if (pictures.empty()) return {};
  std::string html = "<div class=\"pictures\">\n";
  for (const Picture& picture : pictures) {
    const std::string_view type = picture.file.ends_with(".svg") ? "image/svg+xml" : "image/png";
    html += fmt::format("<figure><img alt=\"{0}\" src=\"data:{1};base64,{2}\"><figcaption>{0}</figcaption></figure>\n",
                        html_escaped(picture.caption), type, base64(picture.bytes));
  }
  return html + "</div>\n";
}

std::string figure_html(const Figure& figure) {
  std::string html = fmt::format(
      "<section class=\"figure\" id=\"{0}\">\n<h2>{1} <span>{2}</span> <span "
      "class=\"id\">{0}</span></h2>\n<p>{3}</p>\n",
      figure.id, mark(figure.ok()), html_escaped(figure.title), html_escaped(figure.text));
  std::string beside = checks_table(figure.checks);
  if (!figure.clips.empty()) {
    beside += "<ul class=\"clips\">\n";
    for (const FigureClip& clip : figure.clips) {
      beside += fmt::format("<li><b>{}</b> ({:.2f} s): {}</li>\n", html_escaped(clip.name), clip.clip.last_time_s(),
                            html_escaped(clip.caption));
    }
    beside += "</ul>\n";
  }
  html += figure.clips.empty() ? "<div class=\"columns single\">\n" : "<div class=\"columns\">\n" + slot(figure);
  html += fmt::format("<div>{}</div></div>\n{}</section>\n", beside, pictures_html(figure.pictures));
  return html;
}

std::string index_html(const std::vector<Figure>& figures) {
  std::string html = "<nav class=\"index\" aria-label=\"Figures\"><div>\n";
  std::string_view subject;
  for (const Figure& figure : figures) {
    if (subject_of(figure.id) != subject) {
      html += fmt::format("{}<h2>{}</h2>\n<ol>\n", subject.empty() ? "" : "</ol>\n", subject_of(figure.id));
      subject = subject_of(figure.id);
    }
    html += fmt::format("<li><a href=\"#{}\">{} <span>{}</span></a></li>\n", figure.id, mark(figure.ok()),
                        html_escaped(figure.title));
  }
  return html + "</ol></div></nav>\n";
}

Result<void> check_rules(const std::vector<Figure>& figures) {
  if (figures.empty()) return fail(ErrorCode::invalid_argument, "no figures, expected at least one");
  std::set<std::string_view> seen;
  for (const Figure& figure : figures) {
    const bool plain = std::ranges::all_of(figure.id, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
    if (figure.id.empty() || !plain) {
      return fail(ErrorCode::invalid_argument, "figure id '{}', expected letters, digits, '-' and '_'", figure.id);
    }
    if (!seen.insert(figure.id).second)
      return fail(ErrorCode::invalid_argument, "two figures have the id {}", figure.id);
    for (const Picture& picture : figure.pictures) {
      if (!picture.file.ends_with(".png") && !picture.file.ends_with(".svg")) {
        return fail(ErrorCode::invalid_argument, "figure {}: picture '{}', expected .png or .svg", figure.id,
                    picture.file);
      }
    }
  }
  return {};
}

const Figure* find_first(const std::vector<Figure>& figures, const std::string& wanted) {
  const auto named = std::ranges::find_if(figures, [&](const Figure& f) { return f.id == wanted && !f.clips.empty(); });
  if (named != figures.end()) return &*named;
  const auto any = std::ranges::find_if(figures, [](const Figure& f) { return !f.clips.empty(); });
  return any == figures.end() ? nullptr : &*any;
}

}  // namespace

Result<std::string> report_html(const std::vector<Figure>& figures, const ReportParams& params) {
  if (const auto rules = check_rules(figures); !rules) return std::unexpected(rules.error());
  const auto clips = pack_clips(figures);
  if (!clips) return std::unexpected(clips.error());

  const auto held = std::ranges::count_if(figures, [](const Figure& figure) { return figure.ok(); });
  const bool all = static_cast<std::size_t>(held) == figures.size();
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n<div class=\"wide\">\n"
      "<header class=\"top\"><h1>{0}</h1><p>{2}</p><span class=\"pill{3}\">{4} of {5} figures hold</span>"
      "<button type=\"button\" id=\"theme\">Light or dark</button></header>\n<main>\n",
      html_escaped(params.title), page_file("page.css"), html_escaped(params.subtitle), all ? "" : " bad", held,
      figures.size());

  const Figure* first = find_first(figures, params.first);
  html += fmt::format("<div class=\"hero\">\n{}{}</div>\n",
                      first ? slot(*first) : "<p>These figures have no clips to play.</p>\n", index_html(figures));
  std::string_view subject;
  for (const Figure& figure : figures) {
    if (subject_of(figure.id) != subject) {
      subject = subject_of(figure.id);
      html += fmt::format("<div class=\"seed\">{}</div>\n", subject);
    }
    html += figure_html(figure);
  }

  html += fmt::format(
      "</main>\n<footer><p>Made by Shosa. Positions in metres, the floor grid in squares of 1 m and 25 cm.</p>\n"
      "<details><summary>This page holds three.js, revision 111, under the MIT "
      "licence</summary><pre>{}</pre></details></footer>\n"
      "</div>\n<script id=\"shosa-data\" type=\"application/json\">{}</script>\n",
      html_escaped(page_file("three_licence.txt")), clips->json);
  for (std::size_t i = 0; i < clips->samples.size(); ++i) {
    html += fmt::format("<script id=\"clip-{}\" type=\"text/plain\">{}</script>\n", i, clips->samples[i]);
  }
  for (const char* file :
       {"three.min.js", "clip.js", "shapes.js", "body.js", "stage.js", "player.js", "controls.js", "page.js"}) {
    html += "<script>\n";
    html += page_file(file);
    html += "</script>\n";
  }
  return html + "</body>\n</html>\n";
}

}  // namespace shosa::demo

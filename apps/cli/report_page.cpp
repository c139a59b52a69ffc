#include "report_page.h"

#include <fmt/format.h>

#include <cstdint>

namespace shosa::cli {

namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63u];
    }
  }
  return text;
}

}  // namespace

ReportPage::ReportPage(std::string_view title) : title_(escaped(title)) {}

void ReportPage::section(std::string_view title, std::string_view text) {
  body_ += fmt::format("<h2>{}</h2>\n<p>{}</p>\n", escaped(title), escaped(text));
}

void ReportPage::picture(std::string_view png, std::string_view name) {
  body_ += fmt::format("<img alt=\"{}\" src=\"data:image/png;base64,{}\">\n", escaped(name), base64(png));
}

void ReportPage::line(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", escaped(text));
}

std::string ReportPage::html() const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n"
      "<style>body{{font:16px/1.5 sans-serif;max-width:1240px;margin:2em auto;padding:0 1em;color:#222}}"
      "img{{max-width:100%;display:block;margin:1em 0}}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{1}</body>\n</html>\n",
      title_, body_);
}

}  // namespace shosa::cli

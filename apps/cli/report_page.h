#pragma once

#include <string>
#include <string_view>

namespace shosa::cli {

/// A page of HTML that stands alone: pictures are inside it.
class ReportPage {
 public:
  explicit ReportPage(std::string_view title);

  void section(std::string_view title, std::string_view text);
  void picture(std::string_view png, std::string_view name);
  void line(std::string_view text);

  std::string html() const;

 private:
  std::string title_;
  std::string body_;
};

}  // namespace shosa::cli

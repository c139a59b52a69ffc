#pragma once

#include "documents/json_reader.h"
#include "shosa/analysis/given_contacts.h"

namespace shosa::documents {

/// [[begin, end], …], in order.
std::vector<TimeInterval> read_contacts(const Place& place);

/// {"left": [[begin, end], …], …} in one line, or a line for each foot.
std::string format_contacts(const analysis::GivenContacts& given, bool lines = false);

}  // namespace shosa::documents

#pragma once

#include "shosa/documents/clip_file.h"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace shosa::cli {

/// Refuses what is not a finite number above 0.
CLI::Validator positive_number();

/// For `transform`: a decimal number without a fraction in [low, high]. The parser itself would read "010" as 8.
CLI::Validator whole_number(int low, int high);

/// The options that every verb with an input file has.
using InputOptions = documents::ClipOptions;
using documents::choose_clip;
using documents::ChosenClip;
using documents::open_clip;
using documents::read_input;

/// The motion that a verb reads, and what it writes.
void add_clip_file(CLI::App& verb, std::string& file, std::string meaning);
void add_output(CLI::App& verb, std::string& out, std::string meaning = "Motion to write");
void add_in_and_out(CLI::App& verb, std::string& file, std::string meaning, std::string& out);

/// `one_clip`: also the one that chooses a clip of a file.
void add_input_options(CLI::App& verb, InputOptions& options, bool one_clip = true);

}  // namespace shosa::cli

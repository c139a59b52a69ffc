#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "shosa/core/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace shosa::library {

class Database;

/// A prepared statement. Values are bound from 1 on; columns are read from 0 on after `step` said true.
///
/// A failed call is kept and said by the next `step` or `run`, so that binding needs no branches.
class Statement {
 public:
  Statement& bind(int place, std::int64_t value);
  Statement& bind(int place, double value);
  Statement& bind(int place, std::string_view text);
  Statement& bind_bytes(int place, std::span<const char> bytes);

  /// True: a row is there. False: there is none any more.
  Result<bool> step();
  /// For statements that give no rows; may be bound and run again afterwards.
  Result<void> run();
  void reset();

  std::int64_t integer(int column) const;
  double number(int column) const;
  std::string text(int column) const;
  /// Valid until the next `step`.
  std::string_view bytes(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}

  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int failed_ = 0;
};

/// One connection to a SQLite file that anybody may have written.
///
/// Schemas are not trusted (no functions with side effects, no writes to the schema), and values have a size limit, so
/// that a hostile file gives an error. Errors name the file.
class Database {
 public:
  enum class Access {
    read,  ///< Also where nobody may write: then as if nobody else would write either.
    write  ///< Made where it is not there; its folder must be.
  };
  static Result<Database> open(const std::filesystem::path& file, Access access);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  Result<Statement> prepare(std::string_view sql);
  /// One or several statements without values and rows.
  Result<void> execute(const std::string& sql);
  /// The first column of the first row; 0 where there is none.
  Result<std::int64_t> integer(std::string_view sql);
  std::int64_t last_row() const;
  const std::string& file() const { return file_; }

 private:
  friend class Statement;
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  Database(std::string file, sqlite3* connection);
  std::unexpected<Error> failed(int code) const;

  std::string file_;
  std::unique_ptr<sqlite3, Close> connection_;
};

/// Everything between `begin` and `commit` happens or does not; without `commit` it does not.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  Result<void> commit();
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  ~Transaction();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace shosa::library

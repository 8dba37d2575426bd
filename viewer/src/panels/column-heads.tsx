// Heads of a table's columns, each a button that sorts by it: names upward, numbers downward.

/** A column: what it is, its title, and what it tells. */
export type Column<Name extends string> = readonly [Name, string, string];

export function ColumnHeads<Name extends string>({ columns, by, sortBy }: { columns: readonly Column<Name>[]; by: Name; sortBy(column: Name): void }) {
  return (
    <>
      {columns.map(([column, title, help]) => (
        <th scope="col" class={column === "name" ? "" : "number"} aria-sort={by === column ? (column === "name" ? "ascending" : "descending") : "none"}>
          <button title={`${help}; click to sort`} onClick={() => sortBy(column)}>
            {title}
            <span aria-hidden="true">{by === column ? (column === "name" ? " ▴" : " ▾") : ""}</span>
          </button>
        </th>
      ))}
    </>
  );
}

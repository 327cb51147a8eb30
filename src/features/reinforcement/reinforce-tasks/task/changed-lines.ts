/**
 * Which lines of `before` are gone and which of `after` are new: those outside a longest common subsequence. The contract gives 200 lines a
 * side at most.
 */
export function changedLines(
  before: readonly string[],
  after: readonly string[],
): { gone: boolean[]; fresh: boolean[] } {
  const [rows, columns] = [before.length, after.length]
  const width = columns + 1
  const common = new Uint16Array((rows + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const gone = before.map(() => true)
  const fresh = after.map(() => true)
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (before[row] === after[column]) {
      gone[row++] = false
      fresh[column++] = false
    } else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return { gone, fresh }
}

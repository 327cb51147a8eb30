export type ChangedLine = { sign: '+' | '-' | ' '; text: string }

/** Lines around a change that are shown. */
const AROUND = 3
const LONGEST_LINE = 1000
/** Above so many cells the table of a common subsequence is not made; the middle is then shown as replaced whole. */
const MOST_CELLS = 4_000_000

/** The lines that differ, with three around each change; at most `most` of them. */
export function changedLines(
  before: readonly string[],
  after: readonly string[],
  most: number,
): { lines: ChangedLine[]; cut: boolean } {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail++
  const middle = compare(before.slice(head, before.length - tail), after.slice(head, after.length - tail))
  const kept = (text: string): ChangedLine => ({ sign: ' ', text })
  const all = [
    ...before.slice(Math.max(0, head - AROUND), head).map(kept),
    ...middle,
    ...before.slice(before.length - tail, before.length - tail + AROUND).map(kept),
  ]
  const shown = middle.length === 0 ? [] : all.filter((_, at) => isNear(all, at))
  return {
    lines: shown.slice(0, most).map(({ sign, text }) => ({ sign, text: text.slice(0, LONGEST_LINE) })),
    cut: shown.length > most,
  }
}

function isNear(all: readonly ChangedLine[], at: number): boolean {
  return all.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== ' ')
}

/** By the longest common subsequence. */
function compare(before: readonly string[], after: readonly string[]): ChangedLine[] {
  const [rows, columns] = [before.length + 1, after.length + 1]
  const removed = (text: string): ChangedLine => ({ sign: '-', text })
  const added = (text: string): ChangedLine => ({ sign: '+', text })
  if (rows * columns > MOST_CELLS) return [...before.map(removed), ...after.map(added)]
  const lengths = new Uint32Array(rows * columns)
  for (let i = rows - 2; i >= 0; i--)
    for (let j = columns - 2; j >= 0; j--)
      lengths[i * columns + j] =
        before[i] === after[j]
          ? lengths[(i + 1) * columns + j + 1]! + 1
          : Math.max(lengths[(i + 1) * columns + j]!, lengths[i * columns + j + 1]!)
  const lines: ChangedLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ sign: ' ', text: before[i]! })
      i++
      j++
    } else if (
      j >= after.length ||
      (i < before.length && lengths[(i + 1) * columns + j]! >= lengths[i * columns + j + 1]!)
    )
      lines.push(removed(before[i++]!))
    else lines.push(added(after[j++]!))
  }
  return lines
}

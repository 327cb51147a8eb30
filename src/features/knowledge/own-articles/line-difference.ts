/** A line of two texts: in both, or in one of them. `equal` counts equal lines that are far from any difference. */
export type DifferentLine = { kind: 'same' | 'added' | 'removed'; text: string } | { kind: 'equal'; count: number }

/** Equal lines shown around a difference. */
const AROUND = 3
/** Beyond this product of lines the middle counts as replaced: it would take seconds. */
const MOST_PAIRS = 4_000_000

/** How `after` differs from `before`, line by line (longest common subsequence), equal stretches made short. */
export function lineDifference(before: readonly string[], after: readonly string[]): DifferentLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  const same = (text: string) => ({ kind: 'same', text }) as const
  return shortened([
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ])
}

type Line = Exclude<DifferentLine, { kind: 'equal' }>

function middle(before: readonly string[], after: readonly string[]): Line[] {
  const [rows, columns] = [before.length, after.length]
  if (rows * columns > MOST_PAIRS)
    return [
      ...before.map((text): Line => ({ kind: 'removed', text })),
      ...after.map((text): Line => ({ kind: 'added', text })),
    ]
  // common[i][j]: length of the longest common subsequence of what follows line i and line j.
  const width = columns + 1
  const common = new Uint16Array((rows + 1) * width)
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      common[i * width + j] =
        before[i] === after[j]
          ? (common[(i + 1) * width + j + 1] as number) + 1
          : Math.max(common[(i + 1) * width + j] as number, common[i * width + j + 1] as number)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < rows || j < columns) {
    if (i < rows && j < columns && before[i] === after[j]) {
      lines.push({ kind: 'same', text: before[i] as string })
      i++
      j++
    } else if (
      i < rows &&
      (j === columns || (common[(i + 1) * width + j] as number) >= (common[i * width + j + 1] as number))
    )
      lines.push({ kind: 'removed', text: before[i++] as string })
    else lines.push({ kind: 'added', text: after[j++] as string })
  }
  return lines
}

function shortened(lines: readonly Line[]): DifferentLine[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'same')
  const shown: DifferentLine[] = []
  lines.forEach((line, at) => {
    const last = shown.at(-1)
    if (isNear(at)) shown.push(line)
    else if (last?.kind === 'equal') last.count++
    else shown.push({ kind: 'equal', count: 1 })
  })
  return shown
}

/** Rows of tab-separated text below its first line, which names the columns. Cells that a row lacks are ''. */
export function readTsv<const Name extends string>(text: string, names: readonly Name[]): Record<Name, string>[] {
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const cells = line.split('\t')
      return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])) as Record<Name, string>
    })
}

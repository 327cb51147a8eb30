import type { SimulatedFile } from './installed-app.ts'

/** Splits a command line as a shell does: spaces, single and double quotes, backslashes. */
export function words(line: string): string[] {
  const found: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const one = line[at] as string
    if (quote !== '') {
      if (one === quote) quote = ''
      else word += one
    } else if (one === "'" || one === '"') {
      quote = one
      word ??= ''
    } else if (one === '\\') {
      word = (word ?? '') + (line[++at] ?? '')
    } else if (one === ' ' || one === '\n') {
      if (word !== undefined) found.push(word)
      word = undefined
    } else {
      word = (word ?? '') + one
    }
  }
  if (word !== undefined) found.push(word)
  return found
}

/** What `find … -exec stat -c '%s %Y %a %n'` writes of these files: below the folders that it names, without the pruned one. */
export function globbed(files: ReadonlyMap<string, SimulatedFile>, args: readonly string[]): string {
  const folders = args.slice(
    0,
    args.findIndex((one) => one.startsWith('-')),
  )
  const pruned = args.includes('-prune') ? `${args[args.indexOf('-path') + 1]}/` : undefined
  return [...files]
    .filter(([path]) => folders.some((folder) => folder === '.' || path.startsWith(folder)))
    .filter(([path]) => pruned === undefined || !path.startsWith(pruned))
    .filter(([path]) => !path.startsWith('/data/local'))
    .map(([path, { content, modified, mode }]) => `${content.length} ${Math.floor(modified / 1000)} ${mode} ${path}\n`)
    .join('')
}

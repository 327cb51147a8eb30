import { fileChanges } from '#engines/detect/dynamic/file-changes.ts'
import { findLeaks } from '#engines/detect/dynamic/find-leaks.ts'
import { linesOf, shown } from '#engines/detect/dynamic/phone-text.ts'
import type { FileLine } from '#engines/detect/dynamic/read-files.ts'
import type { Leak, SeenFile } from '#engines/detect/result/dynamic-result.ts'
import type { PhoneCommands } from './phone-commands.ts'

type Files = ReadonlyMap<string, FileLine>
const MOST_READ = 30
const MOST_BYTES = 64 * 1024
const MOST_LINES = 1000
const TEXT = /\.(?:xml|json|txt|log|csv|ini|cfg|conf|properties|ya?ml|html?)$/i

export type FileSurvey = {
  files: SeenFile[]
  /** Private files could be listed; shared storage could be listed before and after. */
  private: boolean
  shared: boolean
}

/** What the run left in files, and secrets and personal information in the small text files among them. */
export async function surveyFiles(
  commands: PhoneCommands,
  id: string,
  debuggable: boolean,
  before: { shared: Files | null; private: Files | null },
  onLeak: (leak: Leak) => void,
): Promise<FileSurvey> {
  const shared = await commands.sharedFiles(id)
  const own = debuggable ? await commands.privateFiles(id) : null
  const areaOf = (path: string): SeenFile['area'] =>
    path.startsWith(`/sdcard/Android/data/${id}/`) || path.startsWith(`/sdcard/Android/media/${id}/`)
      ? 'app_external'
      : 'shared'
  const files = [
    ...(own ? fileChanges(before.private ?? new Map(), own, () => 'private') : []),
    ...(shared && before.shared ? fileChanges(before.shared, shared, areaOf) : []),
  ].slice(0, 2000)
  const readable = files
    .filter(({ path, size }) => TEXT.test(path) && size > 0 && size <= MOST_BYTES)
    .slice(0, MOST_READ)
  for (const { path, area } of readable) {
    const text = await commands.fileText(path, area === 'private' ? id : null)
    for (const line of linesOf(text ?? '', MOST_LINES))
      for (const leak of findLeaks(line)) onLeak({ ...leak, source: 'file', where: shown(path), area, at: null })
  }
  return { files, private: own !== null, shared: shared !== null && before.shared !== null }
}

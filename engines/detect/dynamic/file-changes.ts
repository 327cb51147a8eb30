import type { SeenFile } from '../result/dynamic-result.ts'
import { shown } from './phone-text.ts'
import type { FileLine } from './read-files.ts'

const MOST = 2000

/** Files that are new or were changed between two looks at the same locations. */
export function fileChanges(
  before: ReadonlyMap<string, FileLine>,
  after: ReadonlyMap<string, FileLine>,
  areaOf: (path: string) => SeenFile['area'],
): SeenFile[] {
  const changes: SeenFile[] = []
  for (const { path, size, modified, mode } of after.values()) {
    if (changes.length >= MOST) break
    const old = before.get(path)
    if (old && old.size === size && old.modified === modified && old.mode === mode) continue
    changes.push({ path: shown(path), area: areaOf(path), change: old ? 'changed' : 'new', size, mode })
  }
  return changes
}

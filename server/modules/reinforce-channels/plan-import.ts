import type { Language } from '#contracts/errors.ts'
import { CHANNEL_ERRORS, CHANNEL_TEXT_BYTES, type ChannelPreview } from '#contracts/http/reinforce-channels.ts'
import type { ChannelList } from '#engines/channels/channel-list.ts'
import { groupBy } from '#runtime/group-by.ts'

type Existing = { id: number; key: string; name: string; group_name: string }
type Named = { key: string; name: string; group: string }

/** What an import does to the channels of an application. Those that are not in the file stay as they are. */
export type ImportPlan = {
  added: Named[]
  changed: (Named & { id: number; before: Existing })[]
  unchanged: number
  groups: ChannelPreview['groups']
}

/**
 * @param list channels of the file; those of one line are a group
 * @param names what the groups of lines are called. Without a name a line is the group of most of its channels that exist, else a new one
 */
export function planImport(
  { channels }: ChannelList,
  existing: readonly Existing[],
  names: ReadonlyMap<number, string>,
  language: Language,
): ImportPlan {
  const known = new Map(existing.map((one) => [one.key, one]))
  const groupNames = new Set(existing.map(({ group_name }) => group_name))
  const used = new Set([...groupNames, ...names.values()])
  const plan: ImportPlan = { added: [], changed: [], unchanged: 0, groups: [] }
  for (const [line, items] of groupBy(channels, (one) => one.line)) {
    const group = names.get(line) ?? mostOf(items.flatMap(({ key }) => known.get(key)?.group_name ?? [])) ?? newName()
    plan.groups.push({ line, name: group, count: items.length, known: groupNames.has(group) })
    for (const { key, name } of items) {
      const before = known.get(key)
      if (!before) plan.added.push({ key, name, group })
      else if (before.name === name && before.group_name === group) plan.unchanged++
      else plan.changed.push({ id: before.id, key, name, group, before })
    }
  }
  return plan

  function newName(): string {
    for (let n = 1; ; n++) {
      const name = language === 'zh' ? `第 ${n} 组` : `Group ${n}`
      if (used.has(name)) continue
      used.add(name)
      return name
    }
  }
}

function mostOf(names: readonly string[]): string | undefined {
  const counted = [...groupBy(names, (name) => name)].map(([name, all]) => ({ name, count: all.length }))
  return counted.sort((a, b) => b.count - a.count)[0]?.name
}

/** The errors of a list in words; without `item` they are about the file or one channel. */
export function shownErrors({ errors }: ChannelList, language: Language): ChannelPreview['errors'] {
  return errors.map(({ key, line, item = 0, text }) => {
    const words = CHANNEL_ERRORS[key][language]
    const place = language === 'zh' ? `第 ${item} 项` : `Item ${item}: `
    return { key, line, item, text, message: item ? `${place}${words}` : words }
  })
}

/**
 * Channels in the form of an import file: a line for each group. Several texts where one would reach the size that an import takes; a group may
 * then go on in the next one.
 */
export function exportTexts(channels: readonly { key: string; name: string; group_name: string }[]): string[] {
  const texts: string[] = []
  let text = ''
  for (const [, items] of groupBy(channels, (one) => one.group_name)) {
    let mark = text && '\n'
    for (const { key, name } of items) {
      const item = `${key}:${name}`
      if (Buffer.byteLength(text + mark + item) >= CHANNEL_TEXT_BYTES) {
        texts.push(text)
        text = item
      } else text += mark + item
      mark = ','
    }
  }
  return text ? [...texts, text] : texts
}

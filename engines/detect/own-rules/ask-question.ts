import { RESOURCES_ENTRY } from '../../arsc/resource-table.ts'
import type { CallSite } from '../../dex/program.ts'
import { attributeText } from '../evidence/xml-text.ts'
import { isExported } from '../rules/exported.ts'
import { classHit, codeHit, componentHit, entryHit, evidenceHit, manifestOf } from '../rules/hits.ts'
import { pieceHit } from '../rules/pieces.ts'
import { type Hit, type ManifestContext, text } from '../rules/rule.ts'
import type { RuleContext } from '../rules/rule-context.ts'
import type { RuleValue } from './rule-syntax.ts'

/** Hits of one question; more are not looked for. */
const MOST_HITS = 200

/** What of a package answers a question; none where the answer is no. */
export function askQuestion(name: string, values: readonly RuleValue[], context: RuleContext): readonly Hit[] {
  const hits: Hit[] = []
  for (const hit of ASK[name]!(context, values)) {
    hits.push(hit)
    if (hits.length >= MOST_HITS) break
  }
  return hits
}

type Ask = (context: RuleContext, values: readonly RuleValue[]) => Iterable<Hit>

const textOf = (value: RuleValue | undefined): string => (value?.kind === 'text' ? value.value : '')

/** Texts must be equal, patterns must be found; a missing value fits all. */
function fits(value: RuleValue | undefined, text: string | undefined): boolean {
  if (!value) return true
  if (text === undefined) return false
  if (value.kind === 'pattern') return value.pattern.test(text)
  return value.kind === 'text' ? value.value === text : String(value.value) === text
}

const hit = (zh: string, en: string) => ({ key: en, detail: text(zh, en) })

function* calls(
  context: RuleContext,
  [pattern, position, wanted]: readonly RuleValue[],
  ownOnly: boolean,
): Generator<Hit> {
  const { program } = context
  for (const call of program?.callsTo(textOf(pattern)) ?? []) {
    if (ownOnly && context.ownerOf(call.method.owner).kind === 'sdk') continue
    const constant = position?.kind === 'number' ? constantText(context, call, position.value) : undefined
    if (wanted && !fits(wanted, constant)) continue
    const { key, detail } = hit(
      `调用 ${call.callee}${constant ? `：${constant}` : ''}`,
      `calls ${call.callee}${constant ? `: ${constant}` : ''}`,
    )
    yield codeHit(call, key, detail)
  }
}

function constantText(context: RuleContext, call: CallSite, n: number): string | undefined {
  if (n < 0 || n > 20) return undefined
  const value = context.program!.argument(call, n)
  if (value.kind === 'string') return value.value
  if (value.kind === 'number') return String(value.value)
  return value.kind === 'null' ? 'null' : undefined
}

function* components(context: RuleContext, [kind, name]: readonly RuleValue[], exportedOnly: boolean): Generator<Hit> {
  for (const component of context.facts?.components ?? []) {
    if (component.kind !== textOf(kind) || !fits(name, component.name)) continue
    if (exportedOnly && !isExported(context as ManifestContext, component)) continue
    const { key, detail } = hit(`组件 ${component.name}`, `component ${component.name}`)
    yield componentHit(context, component, key, detail)
  }
}

function* strings(context: RuleContext, [wanted]: readonly RuleValue[]): Generator<Hit> {
  if (wanted?.kind === 'text') {
    for (const location of context.program?.stringUses(wanted.value) ?? [])
      yield codeHit(location, wanted.value, text(`字符串 ${wanted.value}`, `string ${wanted.value}`))
    return
  }
  for (const constant of context.program?.stringConstants() ?? []) {
    if (!fits(wanted, constant.value)) continue
    const shown = constant.value.slice(0, 200)
    const { key, detail } = hit(`字符串 ${shown}`, `string ${shown}`)
    yield pieceHit(
      context,
      { source: 'code', entry: constant.first?.entry ?? '', offset: -1, text: constant.value, constant },
      key,
      detail,
    )
  }
}

function* resources(context: RuleContext, [wanted]: readonly RuleValue[]): Generator<Hit> {
  for (const { name, value, offset, entry = RESOURCES_ENTRY } of context.resources?.all() ?? []) {
    if (value?.text === undefined || !fits(wanted, value.text)) continue
    const shown = value.text.slice(0, 200)
    const { key, detail } = hit(`资源 ${name}：${shown}`, `resource ${name}: ${shown}`)
    yield { location: { entry, offset, path: name }, key, detail }
  }
}

function* classes(context: RuleContext, [wanted]: readonly RuleValue[]): Generator<Hit> {
  const { program } = context
  if (!program || !wanted) return
  const found = wanted.kind === 'text' ? [program.classOf(wanted.value)] : program.classes()
  for (const one of found)
    if (one && fits(wanted, one.descriptor)) {
      const { key, detail } = hit(`类 ${one.descriptor}`, `class ${one.descriptor}`)
      yield classHit(one, key, detail)
    }
}

const ASK: Readonly<Record<string, Ask>> = {
  call: (context, values) => calls(context, values, false),
  ownCall: (context, values) => calls(context, values, true),
  *field(context, [field]) {
    for (const use of context.program?.fieldUses(textOf(field)) ?? [])
      yield codeHit(use, use.field, text(`使用字段 ${use.field}`, `uses field ${use.field}`))
  },
  class: classes,
  *extends(context, [ancestor]) {
    for (const found of context.program?.subclassesOf(textOf(ancestor)) ?? [])
      yield classHit(
        found,
        found.descriptor,
        text(`${found.descriptor} 继承 ${textOf(ancestor)}`, `${found.descriptor} is a ${textOf(ancestor)}`),
      )
  },
  string: strings,
  resource: resources,
  *entry(context, [wanted]) {
    for (const { name } of context.entries)
      if (fits(wanted, name)) yield entryHit(name, name, text(`文件 ${name}`, `file ${name}`))
  },
  *permission(context, [wanted]) {
    for (const permission of context.facts?.permissions ?? [])
      if (fits(wanted, permission.name))
        yield evidenceHit(
          permission.evidence,
          permission.name,
          text(`权限 ${permission.name}`, `permission ${permission.name}`),
        )
  },
  component: (context, values) => components(context, values, false),
  exported: (context, values) => components(context, values, true),
  *manifest(context, [attribute, wanted]) {
    const application = context.manifest?.children.find(({ name }) => name === 'application')
    const value = application && attributeText(application, textOf(attribute), context.resources)
    if (application && value !== undefined && fits(wanted, value)) {
      const { key, detail } = hit(`${textOf(attribute)} 为 ${value}`, `${textOf(attribute)} is ${value}`)
      yield {
        location: { entry: manifestOf(context), offset: application.offset, path: '/manifest/application[1]' },
        key,
        detail,
      }
    }
  },
  *metaData(context, [name, value]) {
    for (const data of context.facts?.metaData ?? [])
      if (fits(name, data.name) && fits(value, data.value))
        yield evidenceHit(data.evidence, data.name, text(`meta-data ${data.name}`, `meta-data ${data.name}`))
  },
  *sdk(context, [id]) {
    for (const sdk of context.sdks)
      if (sdk.id === textOf(id))
        yield {
          location: sdk.evidence[0] ?? { entry: '', offset: -1 },
          owner: { kind: 'sdk', sdk: sdk.id },
          key: sdk.id,
          detail: text(`SDK ${sdk.name.zh}`, `SDK ${sdk.name.en}`),
        }
  },
  *native(context, [wanted]) {
    for (const { entry, name } of context.natives)
      if (fits(wanted, name)) yield entryHit(entry, name, text(`原生库 ${name}`, `library ${name}`))
  },
  *import(context, [wanted]) {
    for (const { entry, name, elf } of context.natives)
      for (const symbol of elf?.imports ?? [])
        if (fits(wanted, symbol.name))
          yield entryHit(
            entry,
            `${name} ${symbol.name}`,
            text(`${name} 导入 ${symbol.name}`, `${name} imports ${symbol.name}`),
            undefined,
            symbol.offset,
          )
  },
  *certificate(context, [wanted]) {
    for (const { subject, fingerprints } of context.certificates)
      if (fits(wanted, subject) || fits(wanted, fingerprints.sha256))
        yield entryHit('META-INF', subject, text(`证书 ${subject}`, `certificate ${subject}`))
  },
}

import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { writeArsc } from '#tests/support/resource-writer.ts'

const MAIN = 'Lorg/maker/app/Main;'
const DATA = 'Lorg/maker/app/Data;'
const STRING = 'Ljava/lang/String;'
const URI = 'Landroid/net/Uri;'

const opens = method(`openFile(${URI}${STRING})Landroid/os/ParcelFileDescriptor;`, (body) => {
  const name = body.virtual(`${URI}->getLastPathSegment()${STRING}`, body.parameter(1))
  const file = body.make('Ljava/io/File;', `(Ljava/io/File;${STRING})V`, null, name)
  const open = 'Landroid/os/ParcelFileDescriptor;->open(Ljava/io/File;I)Landroid/os/ParcelFileDescriptor;'
  body.result(body.static(open, file, 1))
})
const parses = (text: string) => (body: Body) => void body.static(`${URI}->parse(${STRING})${URI}`, text)

/** A provider that opens files by names of addresses, and a screen. */
function judged(write: (body: Body) => void = () => {}, more: MadePackage = {}, attributes = {}) {
  const { level, findings } = judgeOne('android-provider-path-traversal', {
    components: [
      element('activity', { name: '.Main', exported: true }),
      element('provider', {
        name: '.Data',
        authorities: 'org.maker.app.files',
        exported: false,
        grantUriPermissions: true,
        ...attributes,
      }),
    ],
    ...more,
    classes: [
      {
        name: MAIN,
        superclass: 'Landroid/app/Activity;',
        methods: [method('<init>()V'), method('onCreate(Landroid/os/Bundle;)V', write)],
      },
      {
        name: DATA,
        superclass: 'Landroid/content/ContentProvider;',
        methods: [
          method('<init>()V'),
          opens,
          method(`static nameOf(${URI})${STRING}`),
          method(`static root()${STRING}`, parses('.files')),
          method(`static uriOf(${URI})${URI}`),
        ],
      },
      ...(more.classes ?? []),
    ],
  })
  return [level, findings[0]?.detail.en.includes('no code but its own knows its address')]
}
const SHUT = ['low', true]
const OPEN = ['high', false]

describe('[DET-03] a provider that opens any path, and is open by grants alone', () => {
  test('is low where no code but its own knows its address', () => {
    expect(judged()).toEqual(SHUT)
    expect(judged(parses('content://org.other.files/a'))).not.toEqual(SHUT)
    expect(judged(parses('content://org.other/a'))).toEqual(SHUT)
    expect(judged((body) => void body.static(`${DATA}->nameOf(${URI})${STRING}`, null))).toEqual(SHUT)
  })

  test('keeps its level where it is exported', () => {
    expect(judged(undefined, {}, { exported: true })).toEqual(OPEN)
  })

  test.each([
    ['code names it', parses('content://org.maker.app.files/a'), {}],
    ['code names what is behind the package', parses('.files'), {}],
    ['code asks its class for the address', (body: Body) => void body.static(`${DATA}->root()${STRING}`), {}],
    ['code asks its class for an address', (body: Body) => void body.static(`${DATA}->uriOf(${URI})${URI}`, null), {}],
    [
      'code asks Android for it',
      (body: Body) => void body.field(`Landroid/content/pm/ProviderInfo;->authority:${STRING}`),
      {},
    ],
    [
      'a text of the resources names it',
      () => {},
      {
        files: {
          'resources.arsc': writeArsc({
            types: [{ name: 'string', entries: { 0: { key: 'files', value: 'org.maker.app.files' } } }],
          }),
        },
      },
    ],
    ['another package shares the user id', () => {}, { manifest: { sharedUserId: 'org.maker' } }],
    ['scripts make the screens', () => {}, { classes: [{ name: 'Lcom/facebook/react/ReactActivity;' }] }],
  ] as [string, (body: Body) => void, MadePackage][])('keeps its level where %s', (_, write, more) => {
    expect(judged(write, more)).toEqual(OPEN)
  })

  test('code that nothing uses does not count', () => {
    const helper: WrittenDexClass = {
      name: 'Lorg/maker/app/Share;',
      methods: [method('static share()V', parses('content://org.maker.app.files/a'))],
    }
    expect(judged(undefined, { classes: [helper] })).toEqual(SHUT)
    expect(judged((body) => void body.static('Lorg/maker/app/Share;->share()V'), { classes: [helper] })).toEqual(OPEN)
  })
})

import { deflateSync } from 'node:zlib'
import { pngOf } from '#engines/icon/plain-png.ts'
import { Random } from '#tests/fuzz/mutate-input.ts'
import { method } from './code-body.ts'
import { apkBytes, element, type MadePackage } from './detect-package.ts'
import type { WrittenDexClass } from './dex-writer.ts'

const API = [
  'Landroid/util/Log;->i(Ljava/lang/String;Ljava/lang/String;)I',
  'Ljava/lang/System;->getProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;',
  'Ljava/lang/System;->setProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;',
  'Landroid/text/TextUtils;->equals(Ljava/lang/CharSequence;Ljava/lang/CharSequence;)Z',
]

/** A class with methods that no other seed gives. */
function madeClass(name: string, random: Random): WrittenDexClass {
  const methods = Array.from({ length: 4 }, (_, at) =>
    method(`work${at}()V`, (body) => {
      for (let left = 6 + random.below(10); left > 0; left--)
        body.static(API[random.below(API.length)]!, `key ${random.below(1000)}`, `value ${random.below(1000)}`)
    }),
  )
  return { name, methods }
}

const LIBRARY = Array.from({ length: 12 }, (_, at) => madeClass(`Lokhttp3/internal/Part${at};`, new Random(77 + at)))

/** A picture of blocks in colours of the seed. */
function picture(seed: number): Uint8Array {
  const random = new Random(seed)
  const blocks = Array.from({ length: 64 }, () => [random.below(256), random.below(256), random.below(256)])
  const data = new Uint8ClampedArray(4 * 48 * 48)
  for (let y = 0; y < 48; y++)
    for (let x = 0; x < 48; x++)
      data.set([...blocks[8 * Math.floor(y / 6) + Math.floor(x / 6)]!, 255], 4 * (48 * y + x))
  return pngOf({ width: 48, height: 48, data })
}

/** How many classes of its own and files an application has, and classes of another maker, by descriptor without `L` and `;`. */
export interface MadeOf {
  readonly parts?: number
  readonly files?: number
  readonly foreign?: readonly string[]
}

/** An application with code, a library, resources and an icon of its own. Foreign classes are the same in all applications. */
export function madeApplication(
  seed: number,
  id: string,
  label: string,
  { parts = 8, files: count = 20, foreign = [] }: MadeOf = {},
): Uint8Array {
  const random = new Random(seed)
  const folder = `L${id.replaceAll('.', '/')}`
  const files: Record<string, Uint8Array | string> = { 'res/mipmap-xhdpi/ic.png': picture(seed) }
  for (let at = 0; at < count; at++) files[`assets/data${at}.bin`] = deflateSync(`data ${seed} ${random.below(1e9)}`)
  const made: MadePackage = {
    id,
    manifest: { versionCode: 7, versionName: '1.7' },
    application: { label, icon: 'res/mipmap-xhdpi/ic.png' },
    components: ['Main', 'Pay', 'Settings'].map((name) =>
      element('activity', { name: `${id}.${name}`, exported: false }),
    ),
    classes: [
      ...Array.from({ length: parts }, (_, at) => madeClass(`${folder}/Part${at};`, random)),
      ...LIBRARY,
      ...foreign.map((name, at) => madeClass(`L${name};`, new Random(500 + at))),
    ],
    files,
  }
  return apkBytes(made)
}

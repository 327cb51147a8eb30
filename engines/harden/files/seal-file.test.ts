import { expect, test } from 'vitest'
import { SeededRandom } from '../seeded-random.ts'
import { FileSeal, openFile } from './seal-file.ts'

test('[HARD-02] what is encrypted opens to the content of before, and not under another name, secret or byte', () => {
  const seal = new FileSeal(new SeededRandom(Buffer.alloc(32, 1)))
  for (const content of [Buffer.alloc(0), Buffer.from('text'), Buffer.alloc(100_000, 'abc')]) {
    const sealed = seal.seal('dir/图.png', content)
    expect(Buffer.from(openFile(seal.secret, 'dir/图.png', sealed)!)).toEqual(content)
    expect(openFile(seal.secret, 'dir/other.png', sealed)).toBeUndefined()
    expect(openFile('00'.repeat(32), 'dir/图.png', sealed)).toBeUndefined()
    for (const at of [0, 16, 47, 48, 64, sealed.length - 1]) {
      const changed = Uint8Array.from(sealed)
      changed[at]! ^= 0x80
      expect(openFile(seal.secret, 'dir/图.png', changed)).toBeUndefined()
    }
    expect(openFile(seal.secret, 'dir/图.png', sealed.subarray(0, 50))).toBeUndefined()
  }
})

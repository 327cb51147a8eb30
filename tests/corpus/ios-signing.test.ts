import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readIpa } from '#engines/ipa/read-ipa.ts'
import { verifyIpa } from '#engines/ipa/verify-ipa.ts'

const folder = process.env['CORPUS_DIR']

/** State, whether its certificates lead to Apple, and what is wrong; one tool chain signed all but the one that was changed afterwards. */
const EXPECTED: Readonly<Record<string, readonly [state: string, apple: boolean, errors: readonly string[]]>> = {
  'ipa/UnCrackable-Level1.ipa': ['verified', true, []],
  'ipa/appinfo-ipad.ipa': ['verified', true, []],
  'ipa/bitrise-app-store-watch-test.ipa': ['verified', true, []],
  'ipa/crackmes-iOS-Level1-UnDebuggable.ipa': ['verified', true, []],
  // A certificate made for a test signed it.
  'ipa/fastlane-very-capable-app.ipa': ['verified', false, []],
  // Its Info.plist was changed: directory and seal both say so.
  'ipa/Myriam_iOS_Security_App_Beta_1_iOS_9.x.ipa': ['broken', true, ['IPA_FILE_CHANGED', 'IPA_INFO_CHANGED']],
  'ipa/fastlane-iOS_App_With_Spaces.ipa': ['unknown', true, ['IPA_NO_EXECUTABLE']],
  'ipa/fd-com.fake.IpaApp_1000000000001.ipa': ['unknown', true, ['IPA_NO_EXECUTABLE']],
}
const pathOf = (file: string) =>
  ['packages', 'committed'].map((part) => join(folder ?? '', part, file)).find((path) => existsSync(path))

describe.skipIf(!folder)('signatures of real iOS packages (CORPUS_DIR)', () => {
  test.each(Object.entries(EXPECTED))('the signature of %s has the expected state', (file, [state, apple, errors]) => {
    const path = pathOf(file)
    if (!path) return
    const bytes = readFileSync(path)
    const { zip, facts } = readIpa(bytes)
    const result = verifyIpa(zip, facts)
    expect(result.state).toBe(state)
    expect([...new Set(result.errors.map(({ key }) => key))].sort()).toEqual(errors)
    expect(result.warnings.some(({ key }) => key === 'IPA_NOT_APPLE')).toBe(!apple)
    if (result.team !== null && facts.provision) expect(facts.provision.teamIds).toContain(result.team)
    if (state !== 'verified') return
    const main = zip.byName.get(facts.executable!)!
    const changed = Buffer.from(bytes)
    // Stored or deflated: another byte of it is another program, or none.
    changed[main.dataOffset + Math.floor(main.compressedSize / 2)]! ^= 1
    const other = readIpa(changed)
    expect(verifyIpa(other.zip, other.facts).state).not.toBe('verified')
  })
})

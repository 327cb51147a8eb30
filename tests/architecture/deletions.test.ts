import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const SHARED = 'src/shared/ui/deletion.ts'
/** Calls that end or withdraw something whose dialogs have words of their own. */
const DELETES = /import \{[^}]*\b(?:delete[A-Z]\w*|delFile)\b[^}]*\} from '#contracts\//
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /[.]tsx?$/.test(file) && !/[.]test[.]/.test(file))
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

test('[CONST-01] what deletes asks first, says 已取消删除 when the user does not want it, and 删除成功! when it is done', () => {
  const deleting = [...sources].filter(([, text]) => DELETES.test(text))
  expect(deleting.length).toBeGreaterThan(12)
  const wrong = deleting.filter(
    ([, text]) => !/\b(?:confirmDeletion|notDeleted)\(/.test(text) || !/\bdeleted\(\)|t\('deleted'\)/.test(text),
  )
  expect(wrong.map(([file]) => file)).toEqual([])
})

test('the two notices of a deletion have one source', () => {
  const others = [...sources].filter(([file, text]) => file !== SHARED && /已取消删除/.test(text))
  expect(others.map(([file]) => file)).toEqual([])
})

import { ProductError } from '#contracts/errors.ts'
import { followsRule } from '#domain/password-rule.ts'

/** Words that common passwords are made of, without digits, signs and letters written as digits. */
const COMMON = new Set(
  (
    'password passwd passwort pass admin administrator root user guest test tester testing demo welcome hello login master ' +
    'qwerty qwertyuiop qwert asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc iloveyou letmein monkey dragon sunshine ' +
    'princess football baseball superman batman shadow michael jordan charlie secret changeme default system server oracle ' +
    'mysql postgres database manager operator auditor security company office summer winter spring autumn january february ' +
    'monday friday china beijing shanghai woaini woaini woaiwo aini taobao alibaba tencent huawei xiaomi abc abcd abcde abcdef ' +
    'abcdefg aa aaa aaaa abcabc qq qqq zaq zaqwsx appwarden warden console trustno access internet computer samsung google ' +
    'apple android iphone killer pokemon starwars freedom whatever nothing mustang hunter ranger soccer hockey'
  ).split(' '),
)
const LEET: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** From this length (characters) a password is a passphrase: no list of common passwords contains it. */
const PASSPHRASE = 20

/**
 * A common word, or the account's own name, with nothing but digits and signs around it. Passphrases, and passwords with letters of
 * other scripts, are never common: the words are English and pinyin.
 */
export function isCommon(password: string, username: string): boolean {
  if ([...password].length >= PASSPHRASE || /[^\p{ASCII}\P{L}]/u.test(password)) return false
  const own = (username.split('@')[0] as string).toLowerCase()
  const bare = password
    .toLowerCase()
    .replace(/^[^a-z@$]+/, '')
    .replace(/[^a-z]+$/, '')
  const words = [bare, [...bare].map((one) => LEET[one] ?? one).join('')].map((word) => word.replace(/[^a-z]/g, ''))
  return words.some(
    (word) =>
      COMMON.has(word) ||
      (word === '' && !/\p{L}/u.test(password)) ||
      (word !== '' && own.length >= 4 && word === own.replace(/[^a-z]/g, '')),
  )
}

export type PasswordChange = { old_password: string; new_password1: string; new_password2: string }

const EMPTY = {
  old_password: 'password.old_empty',
  new_password1: 'password.new_empty',
  new_password2: 'password.confirm_empty',
} as const

/**
 * Checks that need no look-up, in the order of the form (PASS-01). A first password has no old one. Passwords are compared in NFC
 * form. Throws ProductError.
 */
export function checkForm(form: PasswordChange | Omit<PasswordChange, 'old_password'>): void {
  const fields = new Map(
    (Object.keys(EMPTY) as (keyof PasswordChange)[])
      .filter((name) => name in form)
      .map((name) => [name, (form as PasswordChange)[name].normalize('NFC')]),
  )
  const values = [...fields.values()]
  const empty = [...fields].find(([, value]) => !value)
  if (empty) throw new ProductError(EMPTY[empty[0]])
  if (values.some((field) => /[%*]/.test(field))) throw new ProductError('password.characters')
  if (!values.every(followsRule)) throw new ProductError('password.rule')
  if (fields.get('old_password') === fields.get('new_password1')) throw new ProductError('password.same')
  if (fields.get('new_password1') !== fields.get('new_password2')) throw new ProductError('password.confirm')
}

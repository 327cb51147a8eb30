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

/** Checks that need no look-up, in the order of the specification's form. Passwords are compared in NFC form. Throws ProductError. */
export function checkForm(form: PasswordChange): void {
  const fields = [form.old_password, form.new_password1, form.new_password2].map((field) => field.normalize('NFC'))
  const [old_password, new_password1, new_password2] = fields
  const empty = (['password.old_empty', 'password.new_empty', 'password.confirm_empty'] as const).find(
    (_, at) => !fields[at],
  )
  if (empty) throw new ProductError(empty)
  if (fields.some((field) => /[%*]/.test(field))) throw new ProductError('password.characters')
  if (!fields.every(followsRule)) throw new ProductError('password.rule')
  if (old_password === new_password1) throw new ProductError('password.same')
  if (new_password1 !== new_password2) throw new ProductError('password.confirm')
}

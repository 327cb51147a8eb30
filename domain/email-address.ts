const ADDRESS = /^[^\s@]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/
const LONGEST = 256

/** An e-mail address with a domain of two labels or more, at most 256 code units: what a user name must be (LOGIN-01). */
export function isEmailAddress(text: string): boolean {
  return text.length <= LONGEST && ADDRESS.test(text)
}

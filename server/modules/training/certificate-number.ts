import { createHmac } from 'node:crypto'

/** Crockford's base 32: no I, L, O, U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 12

/** `AWT-XXXX-XXXX-XXXX`: 60 bits that only this installation can compute. */
export function certificateNumber(secret: Buffer, of: { user: number; course: string; issuedAt: number }): string {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify(['certificate', of.user, of.course, of.issuedAt]))
    .digest()
  return grouped(Array.from({ length: LENGTH }, (_, at) => DIGITS[(digest[at] as number) % 32]).join(''))
}

/** A number as people type it, in its one form; '' where it cannot be one. */
export function normalNumber(text: string): string {
  const typed = text.toUpperCase().replace(/[\s-]/g, '')
  const digits = (typed.length > LENGTH ? typed.replace(/^AWT/, '') : typed).replaceAll('O', '0').replace(/[IL]/g, '1')
  return digits.length === LENGTH && [...digits].every((one) => DIGITS.includes(one)) ? grouped(digits) : ''
}

function grouped(digits: string): string {
  return `AWT-${digits.slice(0, 4)}-${digits.slice(4, 8)}-${digits.slice(8)}`
}

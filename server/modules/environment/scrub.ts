import { isIP } from 'node:net'
import { REDACTED, redactText } from '#runtime/redact.ts'

/** Shorter values are not looked for: they would be found in ordinary words. */
const LEAST = 5
/** Shorter values are looked for as whole words: within a longer one, or a number, they are something else. */
const LONG = 8
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Makes a function that takes secrets and personal data out of a text: the `known` values to the letter, also as parts of an address;
 * then what looks like a secret or a person: private keys, credentials, addresses of services (they often contain a key), e-mail addresses,
 * addresses of networks and adapters, and every run of 32 and more letters and digits that is not a UUID.
 */
export function createScrubber(known: readonly string[]): (text: string) => string {
  const values = [...new Set(known.flatMap(formsOf))]
    .filter((one) => one.length >= LEAST)
    // A value that contains another one goes first.
    .sort((one, other) => other.length - one.length)
  return (text) => {
    let clean = text
    for (const value of values)
      clean =
        value.length >= LONG
          ? clean.replaceAll(value, REDACTED)
          : clean.replace(new RegExp(`(?<![A-Za-z0-9])${escaped(value)}(?![A-Za-z0-9])`, 'g'), REDACTED)
    clean = clean.replace(/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(-----END [A-Z0-9 ]+-----|$)/g, REDACTED)
    clean = redactText(clean)
    clean = clean.replace(/\b([a-z][a-z0-9+.-]*):\/\/[^\s"'<>\\]+/gi, (all, scheme: string) =>
      scheme.toLowerCase() === 'file' ? all : `${scheme}://${REDACTED}`,
    )
    clean = clean.replace(/[^\s@"'<>,;:=()[\]{}|\\]+@[^\s@"'<>,;:=()[\]{}|\\/]+\.\p{L}{2,}/gu, '[e-mail]')
    clean = clean.replace(/\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/gi, '[address]')
    clean = clean.replace(/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])/g, addressless)
    clean = clean.replace(/(?<![\w:.])(?=[0-9a-f:]*:[0-9a-f]*:)[0-9a-f:]+(?:\d+\.\d+\.\d+\.\d+)?/gi, addressless)
    return clean.replace(/[A-Za-z0-9+_=-]{32,}/g, (run) =>
      UUID.test(run) || !/\d/.test(run) || !/[A-Za-z]/.test(run) ? run : REDACTED,
    )
  }
}

/** A value as it may stand in a text: itself, encoded for an address, as JSON, and the parts of an address with credentials. */
function formsOf(value: string): string[] {
  const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]
  if (!URL.canParse(value)) return forms
  const { protocol, password, username, pathname, search } = new URL(value)
  const login = [password, decoded(password), username, decoded(username)]
  // The path of a webhook holds its key, as a whole or in a part with digits; that of a database is its name.
  const path = /^https?:$/.test(protocol)
    ? [
        pathname.slice(1),
        search.slice(1),
        ...pathname.split('/').filter((part) => part.length >= LONG && /\d/.test(part)),
      ]
    : []
  return [...forms, ...login, ...path]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // not encoded
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

function addressless(text: string): string {
  if (isIP(text) === 0 || text.startsWith('127.') || text === '0.0.0.0' || text === '::1' || text === '::') return text
  return '[address]'
}

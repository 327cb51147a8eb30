/** Texts and keys as the collector's protocol writes them (contracts/telemetry/wire.ts, policy.ts). */

export function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

export function base64url(bytes: Uint8Array): string {
  return base64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')
}

export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0))
}

const utf8 = (text: string) => new TextEncoder().encode(text)

/** The device key as a key that no script can read again. */
export function importDeviceKey(text: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', fromBase64url(text), algorithm, false, ['sign'])
}

/** The value of the signature header. `tstamp`: Unix seconds. */
export async function signature(
  key: CryptoKey,
  method: string,
  target: string,
  tstamp: number,
  body: string,
): Promise<string> {
  const nonce = base64url(crypto.getRandomValues(new Uint8Array(16)))
  const digest = base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(body))))
  const text = `AW2\n${method}\n${target}\n${tstamp}\n${nonce}\n${digest}`
  return `2.${nonce}.${base64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text))))}`
}

/** Whether the installation signed these bytes. False for a malformed key or signature. */
export async function isSigned(policyKey: string, bytes: BufferSource, signed: string): Promise<boolean> {
  try {
    const curve = { name: 'ECDSA', namedCurve: 'P-256' }
    const key = await crypto.subtle.importKey('spki', fromBase64url(policyKey), curve, false, ['verify'])
    return await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, fromBase64url(signed), bytes)
  } catch {
    return false
  }
}

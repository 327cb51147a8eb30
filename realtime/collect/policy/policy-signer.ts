import { createECDH, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto'

/** Signs policy documents for devices that hold the public key (contracts/telemetry/policy.ts). */
export type PolicySigner = {
  /** base64url, SPKI. */
  publicKey: string
  /** base64url of r||s over these bytes. */
  sign(body: Buffer): string
}

/** The P-256 key of an installation, made from its secret: the same secret makes the same key in every process. */
export function policySigner(secret: Buffer): PolicySigner {
  const ecdh = createECDH('prime256v1')
  for (let counter = 0; ; counter++) {
    try {
      ecdh.setPrivateKey(createHmac('sha256', secret).update(`policy key ${counter}`).digest())
      break
    } catch {
      // About one number in 2^32 is not a valid private key: try the next counter.
    }
  }
  const point = ecdh.getPublicKey()
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: ecdh.getPrivateKey('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64url'),
    sign: (body) => sign('sha256', body, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  }
}

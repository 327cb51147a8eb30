import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Options = Record<string, unknown>
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const url = (data: Uint8Array) => Buffer.from(data).toString('base64url')
/** User present and verified; attested credential data follows. */
const FLAGS = { present: 0x05, attested: 0x40 }

/** A security key in software (W3C Web Authentication Level 3, 6): one P-256 key, attestation 'none', a signature counter. */
export class SoftAuthenticator {
  counter = 0
  readonly id = randomBytes(16)
  private readonly privateKey: KeyObject
  private readonly publicKey: KeyObject
  constructor() {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.privateKey = pair.privateKey
    this.publicKey = pair.publicKey
  }

  /** What a browser at `origin` answers to creation options. */
  create(options: Options, origin: string, bend: { challenge?: string; rp?: string } = {}): Options {
    const client = clientData('webauthn.create', bend.challenge ?? String(options['challenge']), origin)
    const rp = bend.rp ?? (options['rp'] as { id: string }).id
    const { x, y } = this.publicKey.export({ format: 'jwk' }) as { x: string; y: string }
    const cose = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      Buffer.from(x, 'base64url'),
      Buffer.from([0x22, 0x58, 0x20]),
      Buffer.from(y, 'base64url'),
    ])
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, cose])
    const authData = Buffer.concat([this.head(rp, FLAGS.present | FLAGS.attested), attested])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Buffer.from([0xa0]),
      cborText('authData'),
      Buffer.from([0x58, authData.length]),
      authData,
    ])
    return {
      id: url(this.id),
      rawId: url(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: url(client), attestationObject: url(attestation), transports: ['usb'] },
    }
  }

  /** What a browser at `origin` answers to request options. */
  get(options: Options, origin: string, bend: { challenge?: string; rp?: string } = {}): Options {
    this.counter++
    const client = clientData('webauthn.get', bend.challenge ?? String(options['challenge']), origin)
    const authData = this.head(bend.rp ?? String(options['rpId']), FLAGS.present)
    const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), this.privateKey)
    return {
      id: url(this.id),
      rawId: url(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: url(client), authenticatorData: url(authData), signature: url(signature) },
    }
  }

  private head(rp: string, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([sha256(rp), Buffer.from([flags]), counter])
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

/** Text of fewer than 24 bytes. */
function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

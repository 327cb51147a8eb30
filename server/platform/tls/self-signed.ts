import { randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/**
 * A self-signed server certificate (X.509 v3, RFC 5280) for a P-256 key, ECDSA with SHA-256: what a server off loopback starts with
 * until the operator brings his own. Answers PEM texts.
 */
export async function selfSigned(
  hosts: readonly string[],
  days: number,
  now: number,
): Promise<{ cert: string; key: string }> {
  // Loaded here: most starts find a certificate. The library asks for this polyfill.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify'])
  const serial = randomBytes(16)
  serial[0] = (serial.readUInt8() & 0x7f) | 0x40 // positive, and of one length (RFC 5280, 4.1.2.2)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [hosts[0] ?? 'AppWarden'] }],
    keys,
    serialNumber: serial.toString('hex'),
    notBefore: new Date(now - 3_600_000),
    notAfter: new Date(now + days * 86_400_000),
    signingAlgorithm: P256,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { cert: `${certificate.toString('pem')}\n`, key: `${x509.PemConverter.encode(key, 'PRIVATE KEY')}\n` }
}

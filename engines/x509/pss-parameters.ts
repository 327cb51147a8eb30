import { children, content, type DerNode, expectTag, isContext, readOid, TAG } from './der.ts'

/** What an RSASSA-PSS signature says of itself: hashes as object identifiers, the salt in bytes. */
export interface PssParameters {
  readonly hash: string
  /** Of the mask, which is MGF1 always; undefined for another one. */
  readonly maskHash?: string
  readonly saltLength: number
  /** 1 is the only one there is. */
  readonly trailer: number
}

const SHA1 = '1.3.14.3.2.26'
const MGF1 = '1.2.840.113549.1.1.8'

/** The parameters of an algorithm identifier; where they are left out the defaults of RFC 8017 count. Throws FormatError of format `der`. */
export function readPssParameters(node: DerNode | undefined): PssParameters {
  const fields =
    node === undefined || node.tag === TAG.null ? [] : children(expectTag(node, TAG.sequence, 'parameters'))
  const field = (tag: number) => {
    const found = fields.find((one) => isContext(one, tag))
    return found && children(found)[0]
  }
  const [hash, mask, salt, trailer] = [field(0), field(1), field(2), field(3)]
  const [maskKind, maskDigest] = mask ? children(expectTag(mask, TAG.sequence, 'mask')) : []
  const maskHash = !mask
    ? SHA1
    : readOid(expectTag(maskKind, TAG.oid, 'mask')) === MGF1
      ? algorithmOid(maskDigest)
      : undefined
  return {
    hash: hash ? algorithmOid(hash) : SHA1,
    ...(maskHash !== undefined && { maskHash }),
    saltLength: salt ? smallInteger(salt) : 20,
    trailer: trailer ? smallInteger(trailer) : 1,
  }
}

function algorithmOid(node: DerNode | undefined): string {
  return readOid(expectTag(children(expectTag(node, TAG.sequence, 'algorithm'))[0], TAG.oid, 'algorithm'))
}

/** -1 for what is no length of a salt. */
function smallInteger(node: DerNode): number {
  const bytes = content(expectTag(node, TAG.integer, 'number'))
  return bytes.length === 0 || bytes.length > 3 || bytes[0]! & 0x80
    ? -1
    : bytes.reduce((value, byte) => value * 256 + byte, 0)
}

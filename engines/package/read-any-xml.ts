import { readAxml, type XmlDocument } from '../axml/read-axml.ts'
import { readProtoXml } from '../bundle/read-proto-xml.ts'
import { readTextXml } from '../bundle/read-text-xml.ts'
import { looksLikeXml } from '../xml/read-xml.ts'
import { PACKAGE_LIMITS, type PackageLimits } from './package-limits.ts'

/**
 * XML of a package in whatever form it has there: binary in APKs, protobuf in bundles, text in libraries. Throws FormatError of the form's reader.
 */
export function readAnyXml(bytes: Uint8Array, limits: PackageLimits = PACKAGE_LIMITS): XmlDocument {
  if (looksLikeXml(bytes)) return readTextXml(bytes, limits.axml)
  // Field 1 (the element) with a length is how a node of a bundle begins; no chunk of Android is of type 0x..0a.
  return bytes[0] === 0x0a ? readProtoXml(bytes, limits.axml) : readAxml(bytes, limits.axml)
}

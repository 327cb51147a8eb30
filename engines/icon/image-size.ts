/** Width and height as the header of a PNG, JPEG, GIF, WebP or BMP says; null where it is not one of them. */
export function imageSize(bytes: Uint8Array): { readonly width: number; readonly height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 30) return null
  const head = view.getUint32(0)
  if (head === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) }
  if (head === 0x47494638) return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (head >>> 16 === 0x424d) return { width: view.getUint32(18, true), height: Math.abs(view.getInt32(22, true)) }
  if (head === 0x52494646 && view.getUint32(8) === 0x57454250) return webpSize(view)
  return head >>> 16 === 0xffd8 ? jpegSize(view) : null
}

function webpSize(view: DataView) {
  const kind = view.getUint32(12)
  if (kind === 0x56503858)
    return { width: 1 + (view.getUint32(24, true) & 0xffffff), height: 1 + (view.getUint32(26, true) >>> 8) }
  if (kind === 0x56503820)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (kind !== 0x5650384c) return null
  const bits = view.getUint32(21, true)
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
}

/** The first start of frame; each segment before it says its own length. */
function jpegSize(view: DataView) {
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at++
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + view.getUint16(at + 2)
  }
  return null
}

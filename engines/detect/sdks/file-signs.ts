import { SDK_SIGNATURES, WEAK_LIBRARIES } from '../catalogue/sdk-signatures.ts'
import type { Sign } from './signs.ts'

const LIBRARIES = new Map<string, string[]>()
const LIBRARY_GLOBS: { readonly id: string; readonly what: string; readonly fits: RegExp }[] = []
const ASSETS = new Map<string, string[]>()
const ASSET_FOLDERS: { readonly id: string; readonly what: string }[] = []
const ASSET_GLOBS: { readonly id: string; readonly what: string; readonly fits: RegExp }[] = []

const push = (map: Map<string, string[]>, key: string, id: string) => map.set(key, [...(map.get(key) ?? []), id])
for (const { id, so, assets } of SDK_SIGNATURES) {
  for (const name of so)
    if (name.includes('*')) LIBRARY_GLOBS.push({ id, what: name, fits: glob(name) })
    else push(LIBRARIES, name, id)
  for (const name of assets)
    if (name.includes('*')) ASSET_GLOBS.push({ id, what: name, fits: glob(name) })
    else if (name.endsWith('/')) ASSET_FOLDERS.push({ id, what: name })
    else push(ASSETS, name, id)
}

function glob(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^/]*')}$`)
}

/** Names of native libraries and of assets, of the package itself or of a module or split inside of it. */
export function gatherFileSigns(
  entries: readonly { readonly name: string }[],
  add: (id: string, sign: Sign) => void,
): void {
  const seen = new Set<string>()
  const once = (id: string, kind: 'library' | 'asset', what: string, entry: string) => {
    const key = `${id} ${what}`
    if (seen.has(key)) return
    seen.add(key)
    add(id, { kind, what, weak: WEAK_LIBRARIES.has(what), location: { entry, offset: -1 } })
  }
  for (const { name } of entries) {
    const file = name.slice(name.lastIndexOf('/') + 1)
    if (file.endsWith('.so') || LIBRARIES.has(file)) {
      for (const id of LIBRARIES.get(file) ?? []) once(id, 'library', file, name)
      for (const { id, what, fits } of LIBRARY_GLOBS) if (fits.test(file)) once(id, 'library', what, name)
    }
    const asset = /(?:^|[/!])assets\/(.+)$/.exec(name)?.[1]
    if (!asset) continue
    for (const id of ASSETS.get(asset) ?? []) once(id, 'asset', asset, name)
    for (const { id, what } of ASSET_FOLDERS) if (asset.startsWith(what)) once(id, 'asset', what, name)
    for (const { id, what, fits } of ASSET_GLOBS) if (fits.test(asset)) once(id, 'asset', what, name)
  }
}

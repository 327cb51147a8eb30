import type { FrameworkAttribute } from '../axml/framework-attributes.ts'

/** An element of a manifest that is edited: of binary XML in an APK, of protobuf in a bundle. */
export interface ManifestElement {
  readonly name: string
  /** By resource id, with the value in the form that binary XML has. */
  readonly attributes: readonly { readonly id: number; readonly type: number; readonly data: string | number }[]
}

/** What options need of an editor of manifests; attributes are those of the framework. */
export interface ManifestEditor<Element extends ManifestElement = ManifestElement> {
  readonly root: Element
  childrenOf(parent: Element, name: string): Element[]
  setAttribute(
    element: Element,
    attribute: { readonly name: FrameworkAttribute; readonly value: string | boolean },
  ): void
  /** Whether there was one. */
  removeAttribute(element: Element, attribute: { readonly name: FrameworkAttribute }): boolean
  write(): Uint8Array
}

/** A manifest of the package: the first one is that of the application, in a bundle those of other modules follow. */
export interface EditedManifest {
  /** Entry of the package. */
  readonly file: string
  readonly editor: ManifestEditor
}

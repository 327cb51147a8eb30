import { type FrameworkAttribute, frameworkAttributeId, frameworkAttributeName } from './framework-attributes.ts'
import type { XmlAttribute, XmlElement } from './read-axml.ts'

export const ANDROID_NAMESPACE = 'http://schemas.android.com/apk/res/android'

/**
 * The framework attribute of an element: by its resource id as Android looks it up, else by name where the file gives no id at all
 * (Android passes over such an attribute; it is the best there is for anyone who reads the file).
 */
export function findAttribute(element: XmlElement, name: FrameworkAttribute): XmlAttribute | undefined {
  const id = frameworkAttributeId(name)
  let byName: XmlAttribute | undefined
  for (const attribute of element.attributes) {
    if (attribute.resourceId === id) return attribute
    if (!attribute.resourceId && attribute.name === name && attribute.namespace === ANDROID_NAMESPACE)
      byName ??= attribute
  }
  return byName
}

/** An attribute without namespace, such as `package` or `split`. */
export function plainAttribute(element: XmlElement, name: string): XmlAttribute | undefined {
  return element.attributes.find((attribute) => attribute.name === name && !attribute.namespace)
}

/** The name Android knows the attribute by, else the one that is written. */
export function attributeName(attribute: XmlAttribute): string {
  return (attribute.resourceId && frameworkAttributeName(attribute.resourceId)) || attribute.name
}

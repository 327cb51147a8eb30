import type { XmlElement } from '../../axml/read-axml.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import { attributeText, elementsOf } from './xml-text.ts'

const CONFIG = /^res\/xml(?:-[^/]+)?\/config\.xml$/
const MOST_PLUGINS = 200

export interface CordovaPlugin {
  /** Java package of its class with a dot behind it. */
  readonly prefix: string
  readonly service: string
  /** Android makes it when the application starts. */
  readonly atStart: boolean
}

export interface CordovaConfig {
  readonly plugins: readonly CordovaPlugin[]
  /** May pages and scripts reach any server (`access` with a web address or `*`)? */
  readonly isOpen: boolean
}

type WithResources = Pick<InspectedPackage, 'xml' | 'resources' | 'entries'>

/**
 * Value of a preference in Cordova’s configuration, the last one where it is set repeatedly; null where it is not set, undefined where no
 * configuration was read, or not the only one.
 */
export function cordovaPreference(inspected: WithResources, name: string): string | null | undefined {
  const root = configuration(inspected)
  if (!root) return undefined
  let value: string | null = null
  for (const { element } of elementsOf(root))
    if (element.name === 'preference' && attributeText(element, 'name')?.toLowerCase() === name.toLowerCase())
      value = attributeText(element, 'value') ?? ''
  return value
}

/** Cordova's configuration; null where it cannot be read, brings its pages from elsewhere, or gets them replaced. */
export function cordovaConfig(inspected: WithResources): CordovaConfig | null {
  const root = configuration(inspected)
  if (!root) return null
  const plugins: CordovaPlugin[] = []
  let isOpen = false
  for (const { element } of elementsOf(root)) {
    if (element.name === 'content' && !isInPackage(attributeText(element, 'src') ?? '')) return null
    if (element.name === 'allow-navigation') return null
    if (element.name === 'access')
      isOpen ||= !/^(?:file|tel|sms|mailto|geo):/i.test(attributeText(element, 'origin') ?? '')
    if (element.name !== 'feature') continue
    const plugin = pluginOf(element)
    if (!plugin || plugins.length >= MOST_PLUGINS) return null
    plugins.push(plugin)
  }
  return { plugins, isOpen }
}

/** Is it the address of a page that the package holds, with the folder of pages at its beginning or without? */
export const isInPackage = (address: string): boolean =>
  /^file:\/\/\/android_asset\/www\//i.test(address) || !/^\s*(?:[a-z][\w+.-]*:|[\\/]{2})/i.test(address)

/** Plug-ins that replace the pages of an application while it is in use. */
const REPLACES_PAGES = /code.?push|chcp|live.?updat|hot.?(?:code|updat)|ionic.?(?:deploy|common|cordovacommon)|capgo/i

function pluginOf(feature: XmlElement): CordovaPlugin | null {
  const parameter = (name: string) => {
    const found = feature.children.find((one) => one.name === 'param' && attributeText(one, 'name') === name)
    return found && attributeText(found, 'value')
  }
  const name = parameter('android-package')
  const service = attributeText(feature, 'name') ?? ''
  if (!name || REPLACES_PAGES.test(`${name} ${service}`)) return null
  return { prefix: name.slice(0, name.lastIndexOf('.') + 1), service, atStart: parameter('onload') === 'true' }
}

/** A build that shortens the names of resources keeps the name in the resource table. With several, which one a device takes is not known. */
function configuration({ xml, resources, entries }: WithResources): XmlElement | null {
  const files = new Set<string>()
  for (const { name } of entries) if (CONFIG.test(name)) files.add(name)
  for (const { name, value } of resources?.all() ?? [])
    if (/(?:^|:)xml\/config$/.test(name) && value?.text) files.add(value.text)
  return files.size === 1 ? xml([...files][0]!) : null
}

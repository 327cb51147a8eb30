/** Categories of the rule pack. A category of an own rule that is none of these is shown as it is written. */
const CATEGORIES: Readonly<Record<string, { readonly zh: string; readonly en: string }>> = {
  manifest: { zh: '清单配置', en: 'Manifest' },
  component: { zh: '组件', en: 'Components' },
  webview: { zh: 'WebView', en: 'WebView' },
  network: { zh: '网络通信', en: 'Network' },
  crypto: { zh: '密码算法', en: 'Cryptography' },
  storage: { zh: '数据存储', en: 'Storage' },
  secret_leak: { zh: '密钥泄露', en: 'Secrets' },
  code: { zh: '代码', en: 'Code' },
  anti_tamper: { zh: '防篡改', en: 'Tamper resistance' },
  native_library: { zh: '原生库', en: 'Native libraries' },
  signature: { zh: '签名', en: 'Signature' },
  third_party: { zh: '第三方组件', en: 'Third parties' },
  privacy: { zh: '隐私', en: 'Privacy' },
}

/** In the order of menus. */
export const CATEGORY_NAMES: readonly string[] = Object.keys(CATEGORIES)

export function categoryName(category: string, language: 'zh' | 'en'): string {
  return CATEGORIES[category]?.[language] ?? category
}

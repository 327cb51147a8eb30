import type { Text } from '#contracts/detection/scan-result.ts'

/** In Chinese, what a reader of engines/ was reading. */
const FORMATS: Readonly<Record<string, string>> = {
  zip: 'ZIP 结构',
  package: '安装包',
  apk: 'APK',
  aab: 'AAB',
  aar: 'AAR',
  apks: '拆分安装包',
  ipa: 'IPA',
  jar: 'JAR',
  axml: '二进制清单',
  manifest: '清单',
  arsc: '资源表',
  xml: 'XML',
  'proto-xml': '清单（protobuf）',
  'proto-resources': '资源表（protobuf）',
  protobuf: 'protobuf',
  plist: '属性列表',
  macho: 'Mach-O',
  elf: 'ELF',
  dex: 'DEX',
  der: '证书编码',
}
/** By the keys that readers throw. */
const REASONS: Readonly<Record<string, string>> = {
  truncated: '数据不完整',
  limit: '超出读取上限',
  'no-end': '找不到目录结尾，文件可能不完整',
  'unknown-kind': '不是已知类型的安装包',
  'no-app': '没有 Payload/*.app',
  'no-info': '缺少 Info.plist',
  'no-manifest': '缺少清单',
  manifest: '清单无法读取',
  'no-base': '缺少基础包',
  'min-sdk': '最低系统版本无效',
  syntax: '语法错误',
  reference: '引用无效',
  version: '版本不支持',
  range: '数值越界',
  magic: '文件标识不符',
  length: '长度无效',
  depth: '嵌套过深',
  cycle: '循环引用',
  empty: '没有内容',
  'local-header': '文件头损坏',
  outside: '内容超出文件末尾',
  inflate: '无法解压',
  size: '大小与声明不符',
  doctype: '不允许文档类型声明',
}

/** Why bytes could not be read, from what FormatError says; the reader's own words, which name place and entry, follow in Chinese too. */
export function readingReason(format: string, key: string, message: string): Text {
  const what = REASONS[key] ?? (key.startsWith('not-') ? '格式不符' : '无法读取')
  return { zh: `${FORMATS[format] ?? format}：${what}（${message}）`, en: message }
}

import type { SigningIssue } from './signing-facts.ts'

/** What an issue of a signature means, by its key (the names of AOSP's apksig and our own for JARs and iOS). */
const WORDS: Readonly<Record<string, { readonly zh: string; readonly en: string }>> = {
  MALFORMED_APK: { zh: '文件结构不合法', en: 'the archive is malformed' },
  LIMIT_EXCEEDED: { zh: '超出读取上限', en: 'the archive exceeds the limits of the reader' },
  JAR_SIG_NO_MANIFEST: { zh: '缺少 v1 签名清单', en: 'the manifest of the v1 signature is missing' },
  JAR_SIG_NO_SIGNATURES: { zh: '没有 v1 签名', en: 'there is no v1 signature' },
  JAR_SIG_MISSING_FILE: { zh: '签名块没有对应的签名文件', en: 'a signature block has no signature file' },
  JAR_SIG_DUPLICATE_ZIP_ENTRY: { zh: '存在同名文件', en: 'several entries have the same name' },
  JAR_SIG_ZIP_ENTRY_NOT_SIGNED: { zh: '存在未签名的文件', en: 'an entry is not signed' },
  JAR_SIG_UNPROTECTED_ZIP_ENTRY: { zh: '存在不受签名保护的文件', en: 'an entry is not protected by the signature' },
  JAR_SIG_MISSING_ZIP_ENTRY_REFERENCED_IN_MANIFEST: { zh: '签过名的文件缺失', en: 'a signed entry is missing' },
  JAR_SIG_ZIP_ENTRY_DIGEST_DID_NOT_VERIFY: { zh: '文件在签名后被改动', en: 'an entry was changed after signing' },
  JAR_SIG_MANIFEST_MAIN_SECTION_DIGEST_DID_NOT_VERIFY: { zh: '签名清单被改动', en: 'the signed manifest was changed' },
  JAR_SIG_MANIFEST_SECTION_DIGEST_DID_NOT_VERIFY: { zh: '签名清单被改动', en: 'the signed manifest was changed' },
  JAR_SIG_DID_NOT_VERIFY: { zh: 'v1 签名无效', en: 'the v1 signature does not verify' },
  JAR_SIG_VERIFY_EXCEPTION: { zh: 'v1 签名无法验证', en: 'the v1 signature cannot be verified' },
  JAR_SIG_PARSE_EXCEPTION: { zh: '签名块无法解析', en: 'the signature block cannot be parsed' },
  JAR_SIG_MISSING_APK_SIG_REFERENCED: { zh: '更新的签名方案被移除', en: 'a newer signature scheme was stripped' },
  JAR_SIG_UNSUPPORTED_SIG_ALG: { zh: '签名算法不受支持', en: 'the signature algorithm is not supported' },
  V2_SIG_DID_NOT_VERIFY: { zh: 'v2 签名无效', en: 'the v2 signature does not verify' },
  V2_SIG_APK_DIGEST_DID_NOT_VERIFY: { zh: '内容在 v2 签名后被改动', en: 'the content was changed after v2 signing' },
  V2_SIG_MISSING_APK_SIG_REFERENCED: { zh: 'v3 签名被移除', en: 'the v3 signature was stripped' },
  V3_SIG_DID_NOT_VERIFY: { zh: 'v3 签名无效', en: 'the v3 signature does not verify' },
  V3_SIG_APK_DIGEST_DID_NOT_VERIFY: { zh: '内容在 v3 签名后被改动', en: 'the content was changed after v3 signing' },
  V31_BLOCK_FOUND_WITHOUT_V3_BLOCK: { zh: 'v3.1 签名缺少 v3 签名', en: 'a v3.1 signature without a v3 signature' },
  MIN_SIG_SCHEME_FOR_TARGET_SDK_NOT_MET: {
    zh: '目标版本要求 v2 或更新的签名',
    en: 'the target version requires scheme v2 or later',
  },
  NO_SIG_FOR_TARGET_SANDBOX_VERSION: { zh: '目标沙箱版本要求 v2 签名', en: 'the target sandbox requires scheme v2' },
  SPLIT_SIGNERS_MISMATCH: { zh: '拆分包的签名者不一致', en: 'splits have different signers' },
  IPA_AD_HOC: { zh: '代码没有签名者', en: 'the code has no signer' },
  IPA_CODE_CHANGED: { zh: '代码在签名后被改动', en: 'code was changed after signing' },
  IPA_PARTS_CHANGED: { zh: '授权或标识在签名后被改动', en: 'entitlements or identity were changed after signing' },
  IPA_CODE_NOT_SIGNED: { zh: '存在未签名的代码', en: 'code is not signed' },
  IPA_SIGNATURE_DID_NOT_VERIFY: { zh: '代码签名无效', en: 'the code signature does not verify' },
  IPA_INFO_CHANGED: { zh: 'Info.plist 在签名后被改动', en: 'Info.plist was changed after signing' },
  IPA_SEAL_CHANGED: { zh: '资源清单在签名后被改动', en: 'the resource seal was changed after signing' },
  IPA_SEAL_UNREADABLE: { zh: '资源清单无法解析', en: 'the resource seal cannot be parsed' },
  IPA_FILE_CHANGED: { zh: '文件在签名后被改动', en: 'a file was changed after signing' },
  IPA_FILE_NOT_SIGNED: { zh: '存在未签名的文件', en: 'a file is not signed' },
  IPA_FILE_MISSING: { zh: '签过名的文件缺失', en: 'a signed file is missing' },
  IPA_DUPLICATE_ENTRY: { zh: '存在同名文件', en: 'several entries have the same name' },
  IPA_UNREADABLE: { zh: '文件无法解压', en: 'a file cannot be unpacked' },
  IPA_NOT_APPLE: { zh: '证书链未到达 Apple 根证书', en: 'the certificates do not lead to the root of Apple' },
  IPA_OTHER_TEAM: { zh: '代码属于其他团队', en: 'code belongs to another team' },
  IPA_PROFILE_DID_NOT_VERIFY: { zh: '描述文件的签名无效', en: 'the signature of the profile does not verify' },
  IPA_PROFILE_OTHER_SIGNER: { zh: '描述文件不含签名证书', en: 'the profile does not list the signer' },
  IPA_PROFILE_OTHER_TEAM: { zh: '描述文件属于其他团队', en: 'the profile belongs to another team' },
  IPA_PROFILE_OTHER_APPLICATION: { zh: '描述文件属于其他应用', en: 'the profile is for another application' },
}

/**
 * One line about an issue in both languages; the name of an entry that the message quotes is kept. An issue without words of its own
 * keeps its key, and its English message.
 */
export function issueWords({ key, message }: SigningIssue): { readonly zh: string; readonly en: string } {
  const words = WORDS[key]
  const quoted = /"(?:[^"\\]|\\.)*"/.exec(message)?.[0]
  return {
    zh: `${words?.zh ?? `签名检查未通过（${key}）`}${quoted ? `：${quoted}` : ''}`,
    en: words ? `${words.en} (${message})` : `${key}: ${message}`,
  }
}

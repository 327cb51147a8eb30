import { isOptional, SDK_FIELDS } from '#contracts/telemetry/sdk-fields.ts'

/** The entry of the SDK in an app's list of third-party SDKs, made of the fields that are on. */
export function consentText(language: 'zh' | 'en', product: string, off: readonly string[]): string {
  const on = SDK_FIELDS.filter(({ name }) => !(isOptional(name) && off.includes(name)))
  const lines = (personal: boolean) =>
    on
      .filter((field) => field.personal === personal && field.name !== 'consent')
      .map((field) =>
        language === 'zh'
          ? `  · ${field.name}（${field.source.zh}）：${field.purpose.zh}`
          : `  · ${field.name} (${field.source.en}): ${field.purpose.en}`,
      )
  if (language === 'zh')
    return [
      `SDK 名称：${product} 安全 SDK`,
      '使用目的：发现并阻止对应用与账号的攻击，定位崩溃与无响应',
      '使用方式：在您同意本政策之后，由 SDK 在设备上检查运行环境，将下列信息加密传输至本公司自有服务器，不提供给第三方',
      '涉及的个人信息：',
      ...lines(true),
      '其他信息：',
      ...lines(false),
      '保存期限：事件至少 184 天；网络地址 30 天后截断；设备与用户标识只保存加密散列',
      '您可以随时撤回同意：撤回后 SDK 立即停止工作，并删除保存在您设备上的数据；您也可以要求删除已上传的数据',
    ].join('\n')
  return [
    `SDK: ${product} security SDK`,
    'Purpose: finding and stopping attacks on the app and its accounts; finding the causes of crashes and hangs',
    'How: after you agree, the SDK checks the environment on the device and sends the following over an encrypted connection to our own servers, and to no third party',
    'Personal information:',
    ...lines(true),
    'Other information:',
    ...lines(false),
    'Kept: events for at least 184 days; network addresses are cut after 30 days; of device and user only a keyed hash is kept',
    'You may take your consent back at any time: the SDK stops at once and deletes what it kept on your device; you may also ask for deletion of what was sent',
  ].join('\n')
}

import type { Text } from '../result/scan-result.ts'

interface KnownUse {
  readonly name: Text
  readonly personal: boolean
  /** Item of the catalogue that a use answers. */
  readonly item?: string
}

const use = (zh: string, en: string, item?: string): KnownUse => ({
  name: { zh, en },
  personal: true,
  ...(item && { item }),
})

/** Uses that the system keeps account of (AppOps) and that reach personal information. */
const KNOWN: Readonly<Record<string, KnownUse>> = {
  COARSE_LOCATION: use('大致位置', 'Coarse location', 'android-privacy-location'),
  FINE_LOCATION: use('精确位置', 'Precise location', 'android-privacy-location'),
  MONITOR_LOCATION: use('持续定位', 'Location updates', 'android-privacy-location'),
  MONITOR_HIGH_POWER_LOCATION: use('高功耗定位', 'High-power location', 'android-privacy-location'),
  WIFI_SCAN: use('扫描 Wi-Fi', 'Wi-Fi scan', 'android-privacy-wifi-scan'),
  BLUETOOTH_SCAN: use('扫描蓝牙', 'Bluetooth scan'),
  READ_CONTACTS: use('读取联系人', 'Reads contacts', 'android-privacy-contacts'),
  WRITE_CONTACTS: use('修改联系人', 'Changes contacts', 'android-privacy-contacts'),
  GET_ACCOUNTS: use('读取帐户', 'Reads accounts'),
  READ_CALL_LOG: use('读取通话记录', 'Reads call log', 'android-privacy-call-log'),
  WRITE_CALL_LOG: use('修改通话记录', 'Changes call log', 'android-privacy-call-log'),
  READ_SMS: use('读取短信', 'Reads SMS', 'android-privacy-sms'),
  RECEIVE_SMS: use('接收短信', 'Receives SMS', 'android-privacy-sms'),
  SEND_SMS: use('发送短信', 'Sends SMS', 'android-privacy-sms'),
  READ_CALENDAR: use('读取日历', 'Reads calendar'),
  READ_CLIPBOARD: use('读取剪贴板', 'Reads clipboard', 'android-privacy-clipboard-read'),
  READ_PHONE_STATE: use('读取电话状态', 'Reads phone state'),
  READ_PHONE_NUMBERS: use('读取电话号码', 'Reads phone numbers'),
  READ_DEVICE_IDENTIFIERS: use(
    '读取设备标识（IMEI 等）',
    'Reads device identifiers (IMEI and the like)',
    'android-privacy-imei',
  ),
  CAMERA: use('使用摄像头', 'Camera'),
  RECORD_AUDIO: use('录音', 'Microphone'),
  BODY_SENSORS: use('读取身体传感器', 'Body sensors', 'android-privacy-sensors'),
  ACTIVITY_RECOGNITION: use('识别身体活动', 'Activity recognition', 'android-privacy-sensors'),
  HIGH_SAMPLING_RATE_SENSORS: use('高频读取传感器', 'Sensors at a high rate', 'android-privacy-sensors'),
  READ_EXTERNAL_STORAGE: use('读取共享存储', 'Reads shared storage'),
  READ_MEDIA_IMAGES: use('读取图片', 'Reads pictures'),
  READ_MEDIA_VIDEO: use('读取视频', 'Reads videos'),
  READ_MEDIA_AUDIO: use('读取音频', 'Reads audio files'),
  GET_USAGE_STATS: use('读取应用使用情况', 'Reads usage of applications', 'android-privacy-running-apps'),
  QUERY_ALL_PACKAGES: use('读取已安装应用', 'Reads installed applications', 'android-privacy-installed-apps'),
  PROJECT_MEDIA: use('录制屏幕', 'Records the screen'),
}

/** What a use means; one that is not known reaches nothing personal as far as we can tell, and keeps its name. */
export function knownUse(op: string): KnownUse {
  return KNOWN[op] ?? { name: { zh: op, en: op }, personal: false }
}

/** Items of the catalogue that uses answer. */
export const USE_ITEMS: readonly string[] = [
  ...new Set(Object.values(KNOWN).flatMap(({ item }) => (item ? [item] : []))),
]

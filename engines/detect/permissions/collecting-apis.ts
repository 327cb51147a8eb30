import type { CodeLocation } from '../../dex/program.ts'
import type { InspectedPackage, Owner } from '../input/inspected-package.ts'
import { type ApiReference, readApiReference } from './api-reference.ts'
import { findUses, indexUses } from './find-uses.ts'
import { mayTake } from './may-take.ts'
import { isWrapper } from './permission-uses.ts'

const TELEPHONY = 'Landroid/telephony/TelephonyManager;->'
const LOCATION = 'Landroid/location/LocationManager;->'
const WIFI = 'Landroid/net/wifi/WifiInfo;->'
const PACKAGES = 'Landroid/content/pm/PackageManager;->'

/** What a call takes from the person or the device, distinguished finer than by its permission. */
const APIS: Readonly<Record<string, readonly string[]>> = {
  imei: [
    `${TELEPHONY}getDeviceId(`,
    `${TELEPHONY}getImei(`,
    `${TELEPHONY}getMeid(`,
    'Landroidx/core/telephony/TelephonyManagerCompat;->getImei(',
  ],
  imsi: [`${TELEPHONY}getSubscriberId(`],
  iccid: [`${TELEPHONY}getSimSerialNumber(`, 'Landroid/telephony/SubscriptionInfo;->getIccId('],
  phone_number: [`${TELEPHONY}getLine1Number(`, 'Landroid/telephony/SubscriptionManager;->getPhoneNumber('],
  android_id: [
    'Landroid/provider/Settings$Secure;->getString(Landroid/content/ContentResolver;Ljava/lang/String;)Ljava/lang/String; arg2=android_id',
    'Landroid/provider/Settings$System;->getString(Landroid/content/ContentResolver;Ljava/lang/String;)Ljava/lang/String; arg2=android_id',
  ],
  oaid: [
    'Lcom/bun/miitmdid/core/MdidSdkHelper;->InitSdk(',
    'Lcom/huawei/hms/ads/identifier/AdvertisingIdClient;->getAdvertisingIdInfo(',
  ],
  advertising_id: ['Lcom/google/android/gms/ads/identifier/AdvertisingIdClient;->getAdvertisingIdInfo('],
  mac_address: [
    `${WIFI}getMacAddress(`,
    'Ljava/net/NetworkInterface;->getHardwareAddress(',
    'string:/sys/class/net/wlan0/address',
  ],
  serial: ['Landroid/os/Build;->SERIAL', 'Landroid/os/Build;->getSerial('],
  device_id: ['Landroid/media/MediaDrm;->getPropertyByteArray(Ljava/lang/String;)[B arg1=deviceUniqueId'],
  location: [
    `${LOCATION}requestLocationUpdates(`,
    `${LOCATION}getLastKnownLocation(`,
    `${LOCATION}getCurrentLocation(`,
    `${LOCATION}requestSingleUpdate(`,
    'Lcom/google/android/gms/location/FusedLocationProviderClient;->getLastLocation(',
    'Lcom/google/android/gms/location/FusedLocationProviderClient;->requestLocationUpdates(',
    'Lcom/amap/api/location/AMapLocationClient;->startLocation(',
    'Lcom/baidu/location/LocationClient;->start(',
    'Lcom/tencent/map/geolocation/TencentLocationManager;->requestLocationUpdates(',
  ],
  cell_info: [`${TELEPHONY}getAllCellInfo(`, `${TELEPHONY}getCellLocation(`],
  wifi_info: [`${WIFI}getSSID(`, `${WIFI}getBSSID(`, 'Landroid/net/wifi/WifiManager;->getScanResults('],
  network_info: [`${TELEPHONY}getSimOperator(`, `${TELEPHONY}getNetworkOperatorName(`],
  ip_address: [`${WIFI}getIpAddress(`, 'Ljava/net/NetworkInterface;->getInetAddresses('],
  installed_apps: [
    `${PACKAGES}getInstalledPackages(`,
    `${PACKAGES}getInstalledApplications(`,
    'string:pm list packages',
  ],
  app_usage: [
    'Landroid/app/ActivityManager;->getRunningAppProcesses(',
    'Landroid/app/usage/UsageStatsManager;->queryUsageStats(',
  ],
  contacts: [
    'Landroid/provider/ContactsContract$Contacts;->CONTENT_URI',
    'Landroid/provider/ContactsContract$CommonDataKinds$Phone;->CONTENT_URI',
    'content-uri:content://com.android.contacts',
  ],
  call_log: ['Landroid/provider/CallLog$Calls;->CONTENT_URI', 'content-uri:content://call_log'],
  sms: [
    'Landroid/provider/Telephony$Sms;->CONTENT_URI',
    'Landroid/provider/Telephony$Sms$Inbox;->CONTENT_URI',
    'content-uri:content://sms',
  ],
  calendar: ['Landroid/provider/CalendarContract$Events;->CONTENT_URI', 'content-uri:content://com.android.calendar'],
  clipboard: ['Landroid/content/ClipboardManager;->getPrimaryClip('],
  audio: ['Landroid/media/AudioRecord;->startRecording(', 'Landroid/media/MediaRecorder;->setAudioSource('],
  photo: ['Landroid/hardware/Camera;->open(', 'Landroid/hardware/camera2/CameraManager;->openCamera('],
  bluetooth: [
    'Landroid/bluetooth/BluetoothAdapter;->getAddress(',
    'Landroid/bluetooth/BluetoothAdapter;->getBondedDevices(',
  ],
  account: ['Landroid/accounts/AccountManager;->getAccounts('],
  sensor: ['Landroid/hardware/SensorManager;->getSensorList('],
}

/** A location of code that takes a kind of personal information, and whose code it is. */
export interface Access {
  readonly info: string
  readonly owner: Owner
  readonly codeLocation: CodeLocation
}

/** Every location that takes information, kind by kind; a call that Android refuses takes nothing. */
export function findAccesses(inspected: InspectedPackage): readonly Access[] {
  const references: [string, ApiReference][] = []
  for (const [info, lines] of Object.entries(APIS)) {
    if (!mayTake(inspected.facts, info)) continue
    for (const line of lines) references.push([info, readApiReference(line)])
  }
  const index = indexUses(
    inspected,
    references.map(([, reference]) => reference),
  )
  const seen = new Set<string>()
  return references.flatMap(([info, reference]) =>
    findUses(inspected, index, reference).flatMap(({ owner, codeLocation }) => {
      if (!codeLocation || isWrapper({ owner, codeLocation })) return []
      const key = `${info} ${codeLocation.entry} ${codeLocation.offset}`
      if (seen.has(key)) return []
      seen.add(key)
      return [{ info, owner, codeLocation }]
    }),
  )
}

/** Version of both SDKs; scripts/build-sdk.mjs names the downloads after it. */
export const SDK_VERSION = '1.0.0'

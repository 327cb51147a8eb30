/** SDKs whose screens and words come out of a script engine, compiled code or a server: Android code does not show what they do. */
export const SCRIPT_ENGINES: ReadonlySet<string> = new Set(
  'react-native flutter uniapp weex cordova ionic apicloud appcan unity tuanjie unreal cocos laya egret godot xamarin nativescript titanium hippy lynx donut expo kivy luajava'.split(
    ' ',
  ),
)

/** Those whose scripts get from the device what the web view and plug-ins of the package give them; scripts of the others may call Android themselves. */
export const PAGE_ENGINES: ReadonlySet<string> = new Set(['cordova', 'ionic'])

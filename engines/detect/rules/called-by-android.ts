export const OBJECT = 'Ljava/lang/Object;'

/** Classes of Android, whose methods Android calls and whose objects it makes by known rules. */
export const FRAMEWORK =
  /^L(?:android\/(?!support\/|arch\/|test\/)|java\/|javax\/|dalvik\/|org\/(?:apache\/http|json|w3c|xml|xmlpull|ietf)\/|com\/android\/internal\/)/
/** Annotations for compilers and readers, which cause no call of a method. */
export const SILENT_ANNOTATION =
  /^L(?:dalvik\/|java\/lang\/(?:Deprecated|Override|Safe)|(?:android|kotlin)\/(?!webkit)|(?:androidx|android\/support)\/annotation\/(?!Keep))|\/(?:NotNull|NonNull|Nullable)\w*;$/
/** What Android calls on any object, and what it looks for by name when it stores objects. */
export const CALLED_BY_NAME =
  /^(?:toString|equals|hashCode|finalize|clone|compareTo|readObject|writeObject|readResolve|writeReplace|readExternal|writeExternal)$/
/** Made by code that puts the name of a class together. */
export const GENERATED = /(?:_Impl|_ViewBinding|_LifecycleAdapter|_Factory|_MembersInjector)(?:\$\w+)?;$|\$\$/
/** Interfaces of Android with all that it calls on them: other methods of a class that has nothing else of Android are called by code alone. */
export const CALLBACKS: Readonly<Record<string, readonly string[]>> = {
  [OBJECT]: [],
  'Landroid/content/ComponentCallbacks;': ['onConfigurationChanged', 'onLowMemory'],
  'Landroid/content/ComponentCallbacks2;': ['onConfigurationChanged', 'onLowMemory', 'onTrimMemory'],
  'Landroid/view/View$OnCreateContextMenuListener;': ['onCreateContextMenu'],
  'Landroid/view/View$OnClickListener;': ['onClick'],
  'Ljava/lang/Runnable;': ['run'],
}

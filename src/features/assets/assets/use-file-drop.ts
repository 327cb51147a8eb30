import { type DragEvent, useState } from 'react'

/** Lets files be dropped anywhere on an element. Dragged texts and links are ignored. */
export function useFileDrop(enabled: boolean, onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => enabled && dataTransfer.types.includes('Files')
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        if (!isOver) setOver(true)
      },
      onDragLeave(event: DragEvent) {
        // Leaving a child for another is no leaving.
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      },
      onDrop(event: DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}

import { ActionIcon, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { MAX_FILE_BYTES, workOrderParts } from '#contract/work-orders/parts.ts'
import { call } from '../../platform/api.ts'
import { useRequestKey } from '../../platform/submit.ts'
import { say } from '../../ui/snackbar.tsx'
import { workOrdersKey } from '../queries.ts'
import { shrink } from './shrink.ts'

/** Sends photos and files, each as soon as the one before has arrived. */
export function useUpload(order: number) {
  const client = useQueryClient()
  const request = useRequestKey()
  const [share, setShare] = useState<number>()
  const upload = async (files: Iterable<File>) => {
    let sent = 0
    for (const chosen of files) {
      setShare(0)
      try {
        const file = await shrink(chosen)
        if (file.size > MAX_FILE_BYTES) throw new Error('Pesa más de 15 MB.')
        const same = [chosen.name, chosen.size, chosen.lastModified]
        await call(workOrderParts.addFile, {
          params: { id: order },
          body: { file },
          onUpload: setShare,
          idempotencyKey: request.keyFor(same),
        })
        request.arrived(same)
        sent += 1
      } catch (error) {
        say(`No se pudo subir ${chosen.name}`, {
          tone: 'danger',
          detail: error instanceof Error ? error.message : undefined,
        })
      }
    }
    setShare(undefined)
    void client.invalidateQueries({ queryKey: workOrdersKey })
    if (sent > 0) say(sent === 1 ? 'Archivo agregado' : `${sent} archivos agregados`)
  }
  return { upload, share }
}

interface Picks {
  label: string
  accept: string
  /** Opens the camera where there is one. */
  camera?: boolean
  onFiles: (files: File[]) => void
}

/** The field of the browser that chooses files, and what opens it. */
function usePicker({ label, accept, camera, onFiles }: Picks) {
  const input = useRef<HTMLInputElement>(null)
  return {
    open: () => input.current?.click(),
    input: (
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        capture={camera ? 'environment' : undefined}
        multiple={!camera}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    ),
  }
}

interface FileButtonProps extends Picks {
  icon: ReactNode
  size?: 'sm' | 'lg'
}

export function FileButton({ icon, size = 'sm', ...picks }: FileButtonProps) {
  const { open, input } = usePicker(picks)
  return (
    <>
      <Button variant="default" size={size} leftSection={icon} onClick={open}>
        {picks.label}
      </Button>
      {input}
    </>
  )
}

/** The same where there is room for its sign only. */
export function FileIcon({ icon, size = 32, ...picks }: Picks & { icon: ReactNode; size?: number }) {
  const { open, input } = usePicker(picks)
  return (
    <>
      <ActionIcon size={size} aria-label={picks.label} title={picks.label} onClick={open}>
        {icon}
      </ActionIcon>
      {input}
    </>
  )
}

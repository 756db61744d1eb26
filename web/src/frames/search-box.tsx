import { ActionIcon, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import styles from './list-screen.module.css'

interface SearchBoxProps {
  label: string
  value: string
  inputRef: RefObject<HTMLInputElement | null>
  onSearch: (text: string) => void
  onDown: () => void
}

/** Types into the address once the person pauses. */
export function SearchBox({ label, value, inputRef, onSearch, onDown }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const send = useDebouncedCallback((wanted: string) => {
    sent.current = wanted
    onSearch(wanted)
  }, 250)
  // The address changed by other means (back, a cleared filter): the box follows it.
  useEffect(() => {
    if (value === sent.current.trim()) return
    sent.current = value
    setText(value)
  }, [value])
  const type = (wanted: string) => {
    setText(wanted)
    send(wanted)
  }
  return (
    <TextInput
      ref={inputRef}
      className={styles.search}
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={200}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown') {
          event.preventDefault()
          onDown()
        } else if (event.key === 'Escape') {
          if (text) type('')
          else event.currentTarget.blur()
        }
      }}
      leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
      rightSection={
        text ? (
          <ActionIcon aria-label="Borrar búsqueda" size={28} onClick={() => type('')}>
            <IconX size={14} />
          </ActionIcon>
        ) : (
          <kbd className={styles.key} aria-hidden>
            /
          </kbd>
        )
      }
    />
  )
}

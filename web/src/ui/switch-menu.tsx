import { Menu } from '@mantine/core'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import styles from './switch-menu.module.css'

interface SwitchMenuProps {
  label: string
  choices: { value: number; label: string }[]
  value: number
  onChange: (value: number) => void
  className?: string
}

/** A small choice that changes what the whole page is about. */
export function SwitchMenu({ label, choices, value, onChange, className }: SwitchMenuProps) {
  const chosen = choices.find((choice) => choice.value === value)?.label ?? ''
  return (
    <Menu position="bottom-end" width="target">
      <Menu.Target>
        <button type="button" className={`${styles.button} ${className ?? ''}`} aria-label={`${label}: ${chosen}`}>
          <span className={styles.text}>{chosen}</span>
          <IconSelector size={14} stroke={1.7} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles.list}>
        <Menu.Label>{label}</Menu.Label>
        {choices.map((choice) => (
          <Menu.Item
            key={choice.value}
            role="menuitemradio"
            aria-checked={choice.value === value}
            rightSection={choice.value === value ? <IconCheck size={14} stroke={1.9} aria-hidden /> : undefined}
            onClick={() => onChange(choice.value)}
          >
            {choice.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

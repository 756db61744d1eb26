import { Menu } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { AskedMenu } from './asked-menu.tsx'
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
  const button = (
    <button type="button" className={`${styles.button} ${className ?? ''}`}>
      <span className="only-read-aloud">{label}: </span>
      <span className={styles.text}>{chosen}</span>
      <IconSelector size={14} stroke={1.7} aria-hidden />
    </button>
  )
  return (
    <AskedMenu position="bottom-end" width="target" button={button}>
      <Menu.Dropdown className={styles.list}>
        <Menu.Label>{label}</Menu.Label>
        <Menu.RadioGroup value={String(value)} onChange={(next) => onChange(Number(next))}>
          {choices.map((choice) => (
            <Menu.RadioItem key={choice.value} value={String(choice.value)} closeMenuOnClick>
              {choice.label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </AskedMenu>
  )
}

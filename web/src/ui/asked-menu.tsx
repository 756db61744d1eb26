import { Menu, type MenuProps } from '@mantine/core'
import { type ComponentPropsWithRef, cloneElement, type ReactElement, useEffect, useRef, useState } from 'react'

interface AskedMenuProps extends Omit<MenuProps, 'opened' | 'onChange'> {
  /** What opens it. */
  button: ReactElement<ComponentPropsWithRef<'button'>>
}

/**
 * Its button, and the menu from when it is first asked for: a board has hundreds of them, and each has what is around it
 * drawn once more as it comes, to know where it would open.
 */
export function AskedMenu({ button, ...menu }: AskedMenuProps) {
  const [isAsked, setIsAsked] = useState(false)
  if (isAsked) return <Asked button={button} {...menu} />
  return cloneElement(button, { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: () => setIsAsked(true) })
}

function Asked({ button, children, ...menu }: AskedMenuProps) {
  const [opened, setOpened] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  // The button is another one now: closing gives the focus back to it.
  useEffect(() => {
    target.current?.focus({ preventScroll: true })
    setOpened(true)
  }, [])
  return (
    <Menu {...menu} opened={opened} onChange={setOpened}>
      <Menu.Target>{cloneElement(button, { ref: target })}</Menu.Target>
      {children}
    </Menu>
  )
}

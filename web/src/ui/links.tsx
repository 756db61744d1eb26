import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  type ElementProps,
  Menu,
  type MenuItemProps,
} from '@mantine/core'
import { createLink } from '@tanstack/react-router'

/* Links that look like something else: `to`, `params` and `search` are checked as they are on a Link. */

export const ButtonLink = createLink((props: ButtonProps & ElementProps<'a', keyof ButtonProps>) => (
  <Button component="a" {...props} />
))

export const IconLink = createLink((props: ActionIconProps & ElementProps<'a', keyof ActionIconProps>) => (
  <ActionIcon component="a" {...props} />
))

export const MenuLink = createLink((props: MenuItemProps & ElementProps<'a', keyof MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
))

import { IconMail, IconPhone } from '@tabler/icons-react'
import styles from './contact.module.css'

/* On a tablet a phone number calls and an address writes. */

export function PhoneLink({ phone, icon = false }: { phone: string; icon?: boolean }) {
  const number = phone.replace(/(?!^\+)[^\d]/g, '')
  if (number.length < 6) return phone
  return (
    <a className={styles.link} href={`tel:${number}`} title={`Llamar a ${phone}`}>
      {icon && <IconPhone size={14} stroke={1.7} aria-hidden />}
      {phone}
    </a>
  )
}

export function MailLink({ email, icon = false }: { email: string; icon?: boolean }) {
  return (
    <a className={styles.link} href={`mailto:${email}`} title={`Escribir a ${email}`}>
      {icon && <IconMail size={14} stroke={1.7} aria-hidden />}
      {email}
    </a>
  )
}

import { IconCheck } from '@tabler/icons-react'
import { PERMISSION_NAMES, PERMISSIONS, ROLE_NAMES, ROLES, type Role } from '#contract/base/permissions.ts'
import styles from '../workshops/section.module.css'

/** The same table the server holds every call against. */
export default function PermissionsSection() {
  return (
    <>
      <header className={styles.head}>
        <h2>Permisos</h2>
        <p>
          Qué puede hacer cada rol. Un super administrador trabaja en todos los talleres; los demás, solo en el suyo.
        </p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached with the keyboard */}
      <section className={styles.matrix} aria-label="Permisos de cada rol" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Permiso</th>
              {ROLE_NAMES.map((role) => (
                <th key={role} scope="col">
                  {ROLES[role].label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {PERMISSION_NAMES.map((name) => (
              <tr key={name}>
                <th scope="row">{PERMISSIONS[name].label}</th>
                {ROLE_NAMES.map((role) => (
                  <td key={role}>
                    {(PERMISSIONS[name].roles as readonly Role[]).includes(role) ? (
                      <IconCheck size={16} stroke={2.2} className={styles.yes} role="img" aria-label="Sí" />
                    ) : (
                      <span className={styles.quiet}>
                        <span aria-hidden>–</span>
                        <span className="only-read-aloud">No</span>
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

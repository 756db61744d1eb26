import { Component, type ReactNode } from 'react'
import { ErrorState } from './faces.tsx'

interface Props {
  /** For what can be missing without a word: what stands there instead. */
  instead?: ReactNode
  children: ReactNode
  /** Something new here means the trouble may be over. */
  resetKey?: string
}

/** One part of the screen breaking leaves the rest standing. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state = { error: null as Error | null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidUpdate(before: Props) {
    if (before.resetKey !== this.props.resetKey && this.state.error) this.setState({ error: null })
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    if (this.props.instead !== undefined) return this.props.instead
    return <ErrorState title="Esta pantalla falló" error={error} onRetry={() => this.setState({ error: null })} />
  }
}

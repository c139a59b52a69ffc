import { usePart, useStudio } from './studio';

export function Messages() {
  const { app } = useStudio();
  const messages = usePart((state) => state.messages);
  return (
    <div class="messages" role="log" aria-label="Messages">
      {messages.map(({ id, kind, text }) => (
        <div key={id} class={`message ${kind}`} role={kind === 'error' ? 'alert' : undefined}>
          <span>{text}</span>
          <button onClick={() => app.dismiss(id)} aria-label="Dismiss">✕</button>
        </div>
      ))}
    </div>
  );
}

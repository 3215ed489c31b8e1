// The background: lighter in the middle. Its colours go to the screen as they are, without the arithmetic of light, since it
// covers most of the picture and the processor may have to draw it.
import { BufferAttribute, BufferGeometry, Color, LinearSRGBColorSpace, Mesh, ShaderMaterial } from "three";

export class Backdrop {
  readonly mesh: Mesh;
  private readonly material = new ShaderMaterial({
    depthTest: false, depthWrite: false,
    uniforms: { inner: { value: new Color() }, outer: { value: new Color() } },
    vertexShader: /* glsl */ `
      varying vec2 vPlace;
      void main() {
        vPlace = 0.5 * position.xy + 0.5;
        gl_Position = vec4(position.xy, 1.0, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 inner; uniform vec3 outer;
      varying vec2 vPlace;
      void main() {
        float away = clamp((length(vPlace - vec2(0.5, 0.6)) - 0.04) / 0.8, 0.0, 1.0);
        gl_FragColor = vec4(mix(inner, outer, away), 1.0);
      }`,
  });

  constructor() {
    // One triangle that covers the window.
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -100;
  }

  setColors(inner: string, outer: string): void {
    this.material.uniforms.inner.value.setStyle(inner, LinearSRGBColorSpace);
    this.material.uniforms.outer.value.setStyle(outer, LinearSRGBColorSpace);
  }
}
